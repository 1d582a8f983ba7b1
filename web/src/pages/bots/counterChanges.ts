import type { components } from "../../api/schema.gen.ts";
import type { Metric } from "../../core/bots.ts";
import { type Change, changeOf } from "../../core/changes.ts";

type Recent = components["schemas"]["Recent"];

/** The changes of a counter; null without a count to compare with. */
export interface Changes {
  day: Change | null;
  month: Change | null;
}

const DAY_HOURS = 24;
const MONTH_DAYS = 30;

/** Return how a counter changed in 24 hours and in 30 days, from the recent entries of a bot. */
export function changesOf({ hourlyData, dailyData }: Recent, metric: Metric): Changes {
  const currentCount = hourlyData[0]?.[metric] ?? null;
  const oldestDay = dailyData.length >= MONTH_DAYS ? dailyData[MONTH_DAYS - 1] : undefined;
  return {
    day: changeOf(currentCount, hourlyData[DAY_HOURS]?.[metric] ?? null),
    month: changeOf(currentCount, oldestDay ? oldestDay[metric] - oldestDay[`${metric}_change`] : null),
  };
}
