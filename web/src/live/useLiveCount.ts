import { useEffect, useEffectEvent, useState } from "react";
import { listen } from "./listen.ts";
import { type LiveQuestion, questionKey } from "./liveQuestion.ts";

export interface LiveCount {
  count: number;
  /** Whatever arrives now is counted. */
  isListening: boolean;
}

/** Count the events that arrive from now on, as an answer to a question; another question begins at 0. */
export function useLiveCount(question: LiveQuestion): LiveCount {
  const [count, setCount] = useState(0);
  const [isListening, setListening] = useState(false);
  const startListening = useEffectEvent(() =>
    listen(question, {
      onReport: ({ state }) => setListening(state === "live" || state === "polling"),
      onEvents: (events) => setCount((previous) => previous + events.length),
    }),
  );
  const key = questionKey(question);
  useEffect(() => {
    const stop = startListening();
    return () => {
      stop();
      setCount(0);
      setListening(false);
    };
  }, [key]);
  return { count, isListening };
}
