import { useEffect, useState } from "react";

/** Return the seconds since the component appeared, as long as it runs. */
export function useElapsed(running: boolean): number {
  const [startedAt] = useState(() => Date.now());
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!running) return;
    const timer = window.setInterval(() => setSeconds(Math.floor((Date.now() - startedAt) / 1_000)), 1_000);
    return () => window.clearInterval(timer);
  }, [running, startedAt]);
  return seconds;
}
