import type { components } from "../../api/schema.gen.ts";
import type { Metric } from "../../core/bots.ts";

type Recent = components["schemas"]["Recent"];

/** Changes as shares: 0.25 is a quarter more; null without a count to compare with. */
export interface Changes {
  day: number | null;
  month: number | null;
}

const DAY_HOURS = 24;
const MONTH_DAYS = 30;

/** Return how a counter changed in 24 hours and in 30 days, from the recent entries of a bot. */
export function changesOf({ hourlyData, dailyData }: Recent, metric: Metric): Changes {
  const currentCount = hourlyData[0]?.[metric];
  const oldestDay = dailyData.length >= MONTH_DAYS ? dailyData[MONTH_DAYS - 1] : undefined;
  return {
    day: changeShare(currentCount, hourlyData[DAY_HOURS]?.[metric]),
    month: changeShare(currentCount, oldestDay && oldestDay[metric] - oldestDay[`${metric}_change`]),
  };
}

function changeShare(currentCount: number | undefined, earlierCount: number | undefined): number | null {
  return currentCount === undefined || !earlierCount ? null : (currentCount - earlierCount) / earlierCount;
}
