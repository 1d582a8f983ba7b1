import { RetentionTable } from "../../charts/RetentionTable.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { ViewProps } from "../definition.ts";
import { cohortsOf, periodOf } from "./shape.ts";

/** Who comes back, as a table or as lines. */
export function View({ title, config, answer, onDisplay }: ViewProps<"retention">) {
  const { timezone, onSpot } = useDashboardContext();
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
    />
  );
}
