import type { CohortRow } from "../../charts/RetentionLines.tsx";
import { bucketEnd } from "../../core/buckets.ts";
import { formatExact } from "../../core/numbers.ts";
import { bucketLabel, shortDate, toMilliseconds } from "../../core/time.ts";
import type { Answers, Configs, DataTable, SpotLine } from "../definition.ts";
import { WITHOUT_GROUPS } from "../words.ts";

type Answer = Answers["retention"];

const PERIODS: Record<Answer["granularity"], string> = { day: "Day", week: "Week", month: "Month" };
/** Name how often cohorts begin. */
export const RHYTHMS: Record<Answer["granularity"], string> = { day: "daily", week: "weekly", month: "monthly" };

/** Name a period: "Week". */
export const periodOf = ({ granularity }: Answer): string => PERIODS[granularity];

/** Return the rows of a retention table; period 0 is the size. */
export function cohortsOf({ cohorts, granularity }: Answer, timezone: string): CohortRow[] {
  return cohorts.map(({ start, size, values }) => ({
    label: granularity === "month" ? bucketLabel(start, "month", timezone) : shortDate(start, timezone),
    size,
    returned: values.slice(1),
  }));
}

/** Return the numbers of each cohort, the first of which is its size. */
export function spotsOf(answer: Answer, timezone: string): SpotLine[] {
  const period = periodOf(answer).toLowerCase();
  const rows = cohortsOf(answer, timezone);
  return answer.cohorts.map(({ start, values }, cohortIndex) => {
    const cohortWords = `cohort of ${rows[cohortIndex]?.label ?? ""}`;
    return values.map((count, periodIndex) => ({
      spot: { cohort: start, period: periodIndex },
      value: count,
      inWords: () => (periodIndex === 0 ? cohortWords : `${cohortWords}, ${period} ${periodIndex}`),
      format: formatExact,
      bucket: () => ({ startMs: periodStart(toMilliseconds(start), periodIndex, answer.granularity, timezone), interval: answer.granularity }),
    }));
  });
}

/** Return when a period of a cohort begins; both times in milliseconds since 1970. */
function periodStart(cohortStart: number, periodIndex: number, granularity: Answer["granularity"], timezone: string): number {
  return Array.from({ length: periodIndex }).reduce<number>((startMs) => bucketEnd(startMs, granularity, timezone), cohortStart);
}

/** Say who belongs to a cohort: "weekly, by first track.play". */
export function noteOf({ cohortEvent, returnEvent, count: countedUnit }: Configs["retention"], { granularity, count }: Answer): string {
  const returnText = returnEvent && returnEvent !== cohortEvent ? `, returning with ${returnEvent}` : "";
  const subject = count === "group" ? "groups, " : countedUnit === "group" ? `${WITHOUT_GROUPS}, ` : "";
  return `${subject}${RHYTHMS[granularity]}, by first ${cohortEvent}${returnText}`;
}

/** Return retention as a table of counts. */
export function tableOf(answer: Answer, timezone: string): DataTable {
  const rows = cohortsOf(answer, timezone);
  const periodCount = Math.max(0, ...rows.map(({ returned }) => returned.length));
  const period = periodOf(answer);
  return {
    columns: [
      { label: period === "Week" ? "Week of" : period, numeric: false },
      { label: "Size", numeric: true },
      ...Array.from({ length: periodCount }, (_, index) => ({ label: `${period} ${index + 1}`, numeric: true })),
    ],
    rows: rows.map(({ label, size, returned }) => [
      label,
      size,
      ...Array.from({ length: periodCount }, (_, index) => returned[index] ?? null),
    ]),
  };
}
