import { type ReactNode, Suspense, useState } from "react";
import type { Question, Result, Spot } from "../../api/widgets.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { isSameSpot } from "../../scope/spotAddress.ts";
import { lazily } from "../../ui/lazily.ts";
import type { DashboardContextValue } from "../../widgets/DashboardContext.ts";
import { definitionOf } from "../../widgets/registry.ts";

const WhoDialog = lazily(() => import("./WhoDialog.tsx"), "WhoDialog");

interface OpenNumber {
  /** What opens a number of the answer, and which one is open. */
  openFields: Pick<DashboardContextValue, "onSpot" | "openSpot">;
  dialog: ReactNode;
}

/** Let somebody open a number of an answer, to see who is behind it; a number that is no longer in the answer is closed. */
export function useOpenNumber(question: Question, answer: Result | undefined, timeRange: TimeRange, timezone: string): OpenNumber {
  const [openSpot, setOpenSpot] = useState<Spot>();
  const lines = openSpot && answer ? (definitionOf(question.type)?.spots?.(answer, question.config, timezone) ?? []) : [];
  const number = lines.flat().find(({ spot }) => openSpot && isSameSpot(spot, openSpot));
  return {
    openFields: { onSpot: setOpenSpot, openSpot: number?.spot },
    dialog: number ? (
      <Suspense>
        <WhoDialog question={question} spot={number.spot} words={number.inWords()} timeRange={timeRange} timezone={timezone} onClose={() => setOpenSpot(undefined)} />
      </Suspense>
    ) : null,
  };
}
