import { RetentionTable } from "../../charts/RetentionTable.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { Answers, Spot, ViewProps } from "../definition.ts";
import { cohortsOf, periodOf } from "./shape.ts";

/** Return the row and the period of the number that is open, if it is one of the answer. */
function openCellOf({ cohorts }: Answers["retention"], { cohort, period }: Spot = {}): [cohort: number, period: number] | undefined {
  const cohortIndex = cohorts.findIndex(({ start }) => start === cohort);
  return cohortIndex < 0 || period === undefined ? undefined : [cohortIndex, period];
}

/** Who comes back, as a table or as lines. */
export function View({ title, config, answer, onDisplay }: ViewProps<"retention">) {
  const { timezone, onSpot, openSpot } = useDashboardContext();
  const cohorts = cohortsOf(answer, timezone);
  const period = periodOf(answer);
  const showActors = onSpot && ((cohortIndex: number, periodIndex: number) => {
    const cohort = answer.cohorts[cohortIndex];
    if (cohort) onSpot({ cohort: cohort.start, period: periodIndex });
  });
  return (
    <RetentionTable
      key={config.display?.chart ?? ""}
      title={title}
      period={period}
      cohorts={cohorts}
      startsAsLines={config.display?.chart === "line"}
      onLinesChange={onDisplay && ((showsLines) => onDisplay({ chart: showsLines ? "line" : "list" }))}
      onCell={showActors}
      openCell={openCellOf(answer, openSpot)}
    />
  );
}
