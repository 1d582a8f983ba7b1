import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type AlertChannel, testChannel } from "../../api/alertChannels.ts";
import { errorInLine } from "../../api/words.ts";
import { announce } from "../../ui/announce.ts";

/** What became of a test message. */
export interface TestOutcome {
  channelId: string;
  ok: boolean;
  /** "#ops answered in 212 ms". */
  words: string;
}

/** Send test messages; the outcome of the last one stays to be read. */
export function useChannelTest() {
  const [outcome, setOutcome] = useState<TestOutcome | null>(null);
  const show = (next: TestOutcome) => {
    setOutcome(next);
    announce(next.words);
  };
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ id, name }: Pick<AlertChannel, "id" | "name">): Promise<TestOutcome> => {
      const began = performance.now();
      const { ok, error = "" } = await testChannel(id);
      const took = Math.round(performance.now() - began);
      return { channelId: id, ok, words: ok ? `${name} answered in ${took}\u00a0ms` : `${name} did not take it: ${error}` };
    },
    onMutate: () => setOutcome(null),
    onSuccess: show,
    onError: (error, { id }) => show({ channelId: id, ok: false, words: errorInLine(error) }),
  });
  return { outcome, test: mutate, testing: isPending ? variables.id : undefined };
}
