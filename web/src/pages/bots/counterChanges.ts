import type { components } from "../../api/schema.gen.ts";
import type { Metric } from "../../core/bots.ts";

type Recent = components["schemas"]["Recent"];

/** Changes as shares: 0.25 is a quarter more; null without a count to compare with. */
export interface Changes {
  day: number | null;
  month: number | null;
}

const HOURS = 24;
const DAYS = 30;

/** Return how a counter changed in 24 hours and in 30 days, from the recent entries of a bot. */
export function changesOf({ hourlyData, dailyData }: Recent, metric: Metric): Changes {
  const now = hourlyData[0]?.[metric];
  const oldest = dailyData.length >= DAYS ? dailyData[DAYS - 1] : undefined;
  return {
    day: share(now, hourlyData[HOURS]?.[metric]),
    month: share(now, oldest && oldest[metric] - oldest[`${metric}_change`]),
  };
}

function share(now: number | undefined, before: number | undefined): number | null {
  return now === undefined || !before ? null : (now - before) / before;
}
