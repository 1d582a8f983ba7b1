import type { Histories } from "../../api/botShapes.ts";
import type { TimeLine } from "../../charts/series.ts";
import { type TimeFrame, bucketCountOf, hasHours } from "../../core/bots.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A bot with the color of its line, 1 to 8. */
export interface ColoredBot {
  id: string;
  name: string;
  color: number;
}

/** Return the time line of some bots over a whole time frame; where a bot was not known yet, it has no value. */
export function historyLineOf(histories: Histories, bots: readonly ColoredBot[], timeFrame: TimeFrame): TimeLine {
  const times = [...new Set(bots.flatMap(({ id }) => (histories.get(id) ?? []).map(({ time }) => time)))].toSorted((left, right) => left - right);
  return {
    times,
    series: bots.map(({ id, name, color }) => {
      const valueByTime = new Map((histories.get(id) ?? []).map(({ time, value }) => [time, value]));
      return { name, values: times.map((time) => valueByTime.get(time) ?? null), total: histories.get(id)?.at(-1)?.value ?? null, color };
    }),
    timeSpan: spanOf(times, timeFrame),
  };
}

/** Return the span of a time frame that ends with the last of some moments; undefined if it begins with the first one. */
function spanOf(times: readonly number[], timeFrame: TimeFrame): TimeLine["timeSpan"] {
  const [lastTime, bucketCount] = [times.at(-1), bucketCountOf(timeFrame)];
  if (lastTime === undefined || bucketCount === null) return undefined;
  return [lastTime - (bucketCount - 1) * (hasHours(timeFrame) ? HOUR_MS : DAY_MS), lastTime];
}

/** Return how much a counter grew on an average day of its history; null if it is too short to tell. */
export function growthPerDay(histories: Histories | undefined, id: string): number | null {
  const points = histories?.get(id) ?? [];
  const [firstPoint, lastPoint] = [points[0], points.at(-1)];
  if (!firstPoint || !lastPoint || lastPoint.time - firstPoint.time < DAY_MS) return null;
  return Math.max(0, Math.round((lastPoint.value - firstPoint.value) / ((lastPoint.time - firstPoint.time) / DAY_MS)));
}
