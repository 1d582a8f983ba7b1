import { RetentionTable } from "../../charts/RetentionTable.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { ViewProps } from "../definition.ts";
import { cohortsOf, periodOf } from "./shape.ts";

/** Who comes back, as a table or as lines. */
export function View({ title, config, answer, onDisplay }: ViewProps<"retention">) {
  const { timezone, onSpot } = useDashboardContext();
  const cohorts = cohortsOf(answer, timezone);
  const period = periodOf(answer);
  const showActors = onSpot && ((row: number, at: number) => {
    const cohort = answer.cohorts[row];
    const name = cohorts[row]?.label ?? "";
    if (cohort) onSpot({ cohort: cohort.start, period: at }, at === 0 ? `cohort of ${name}` : `cohort of ${name}, ${period.toLowerCase()} ${at}`);
  });
  return (
    <RetentionTable
      key={config.display?.chart ?? ""}
      title={title}
      period={period}
      cohorts={cohorts}
      isLine={config.display?.chart === "line"}
      onLine={onDisplay && ((isLine) => onDisplay({ chart: isLine ? "line" : "list" }))}
      onCell={showActors}
    />
  );
}
