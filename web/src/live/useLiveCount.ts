import { useEffect, useEffectEvent, useState } from "react";
import { listen } from "./listen.ts";
import { type LiveQuestion, questionKey } from "./liveQuestion.ts";

export interface LiveCount {
  count: number;
  /** Whatever arrives now is counted. */
  isListening: boolean;
}

/** Count the events that arrive from now on, as answers to some questions; other questions begin at 0. */
export function useLiveCount(questions: readonly LiveQuestion[]): LiveCount {
  const [count, setCount] = useState(0);
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set());
  const startListening = useEffectEvent(() =>
    questions.map((question) =>
      listen(question, {
        onReport: ({ state }) => setOpenKeys((keys) => withKey(keys, questionKey(question), state === "live" || state === "polling")),
        onEvents: (events) => setCount((previous) => previous + events.length),
      }),
    ),
  );
  const allKeys = questions.map(questionKey).join("\n");
  useEffect(() => {
    const stops = startListening();
    return () => {
      for (const stop of stops) stop();
      setCount(0);
      setOpenKeys(new Set());
    };
  }, [allKeys]);
  return { count, isListening: openKeys.size > 0 && openKeys.size === questions.length };
}

function withKey(keys: ReadonlySet<string>, key: string, isOpen: boolean): ReadonlySet<string> {
  const nextKeys = new Set(keys);
  if (isOpen) nextKeys.add(key);
  else nextKeys.delete(key);
  return nextKeys;
}
