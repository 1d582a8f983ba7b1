import { useEffect, useState } from "react";

/** How long a value has to rest, in milliseconds. */
const REST_MS = 400;

/** Return a value of plain data once it has not changed for a moment, such as a question that somebody still types. */
export function useDebounced<Value>(value: Value): Value {
  const [stableValue, setStableValue] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setStableValue(JSON.parse(text) as Value), REST_MS);
    return () => window.clearTimeout(timer);
  }, [text]);
  return stableValue;
}
