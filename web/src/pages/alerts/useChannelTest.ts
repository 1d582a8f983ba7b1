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
  message: string;
}

/** Send test messages; the outcome of the last one stays to be read. */
export function useChannelTest() {
  const [outcome, setOutcome] = useState<TestOutcome | null>(null);
  const showOutcome = (newOutcome: TestOutcome) => {
    setOutcome(newOutcome);
    announce(newOutcome.message);
  };
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ id, name }: Pick<AlertChannel, "id" | "name">): Promise<TestOutcome> => {
      const startedMs = performance.now();
      const { ok, error = "" } = await testChannel(id);
      const tookMs = Math.round(performance.now() - startedMs);
      return { channelId: id, ok, message: ok ? `${name} answered in ${tookMs}\u00a0ms` : `The test of ${name} failed: ${error}` };
    },
    onMutate: () => setOutcome(null),
    onSuccess: showOutcome,
    onError: (error, { id }) => showOutcome({ channelId: id, ok: false, message: errorInLine(error) }),
  });
  return { outcome, sendTest: mutate, testedChannelId: isPending ? variables.id : undefined };
}
