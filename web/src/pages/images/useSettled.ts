import { useEffect, useState } from "react";

const SETTLE_MS = 250;

/** Return a value that follows another one as soon as that has not changed for a moment. */
export function useSettled<Value>(value: Value): Value {
  const [stableValue, setStableValue] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setStableValue(value), SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, [value]);
  return stableValue;
}
