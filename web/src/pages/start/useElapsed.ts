import { useEffect, useState } from "react";

/** Return the seconds since the component appeared, as long as it runs. */
export function useElapsed(isRunning: boolean): number {
  const [startedMs] = useState(() => Date.now());
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    const timer = window.setInterval(() => setSeconds(Math.floor((Date.now() - startedMs) / 1_000)), 1_000);
    return () => window.clearInterval(timer);
  }, [isRunning, startedMs]);
  return seconds;
}
