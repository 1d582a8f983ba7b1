import type { Question } from "../api/widgets.ts";
import type { TimeRange } from "../core/timeRanges.ts";
import type { Condition } from "../scope/filters.ts";

/** A week has 168 hours, too many to read as bars. */
const WEEKS: readonly string[] = ["7d", "wtd", "last_week"];

/** Ask how many events an actor or a group had when: a day at a time where the server would choose the hours of a week. */
export function activityQuestion({ environment, timeRange }: { environment: string; timeRange: TimeRange }, filter: Condition): Question {
  const isWeek = "timeRange" in timeRange && WEEKS.includes(timeRange.timeRange);
  return {
    environment,
    type: "metric",
    ...timeRange,
    config: { events: "all", measure: "count", overTime: true, filters: [filter] },
    ...(isWeek ? { interval: "day" as const } : {}),
  };
}
