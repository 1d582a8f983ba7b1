import { useEffect, useState } from "react";

/** Return the time in milliseconds since 1970, as of at most so many milliseconds ago: words like "5 min ago" follow it. */
export function useNow(everyMs = 30_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
