import type { Result } from "../../api/widgets.ts";

/** A day of the month, and how many events it has. */
export interface Day {
  day: number;
  count: number;
}

/** Ask for the events of each day of this month in an environment. */
export const dailyQuestion = (environment: string) => ({
  environment,
  type: "metric" as const,
  config: { events: "all" as const, measure: "count" as const, overTime: true, interval: "day" as const },
  timeRange: "mtd" as const,
});

/** Add up the days of all environments, in a month of so many days. */
export function dailyCountsOf(answers: readonly (Result | undefined)[], dayCount: number, timezone: string): Day[] {
  const counts = Array.from({ length: dayCount }, () => 0);
  const dayFormat = new Intl.DateTimeFormat("en", { day: "numeric", timeZone: timezone });
  for (const answer of answers) {
    if (answer?.kind !== "timeseries") continue;
    for (const { t, value } of answer.points) {
      const dayIndex = Number(dayFormat.format(new Date(t))) - 1;
      counts[dayIndex] = (counts[dayIndex] ?? 0) + (value ?? 0);
    }
  }
  return counts.map((count, index) => ({ day: index + 1, count }));
}

/** Name a day: "3 November". */
export const dayInWords = (day: number, month: string): string => `${day} ${month}`;
