import type { Histories } from "../../api/botShapes.ts";
import type { TimeLine } from "../../charts/series.ts";
import { assignColors } from "../../charts/valueColors.ts";

/** Return the time line of some bots in their own colors; where a bot was not known yet, it has no value. */
export function historyLineOf(histories: Histories, bots: readonly { id: string; name: string }[]): TimeLine {
  const times = [...new Set(bots.flatMap(({ id }) => (histories.get(id) ?? []).map(({ time }) => time)))].toSorted((left, right) => left - right);
  const colors = assignColors(bots.map(({ id }) => id));
  return {
    times,
    series: bots.map(({ id, name }) => {
      const valueByTime = new Map((histories.get(id) ?? []).map(({ time, value }) => [time, value]));
      return { name, values: times.map((time) => valueByTime.get(time) ?? null), total: histories.get(id)?.at(-1)?.value ?? null, color: colors.get(id) };
    }),
    isFirstPartial: false,
    isLastPartial: false,
  };
}

const DAY_MS = 86_400_000;

/** Return how much a counter grew on an average day of its history; null if it is too short to tell. */
export function growthPerDay(histories: Histories | undefined, id: string): number | null {
  const points = histories?.get(id) ?? [];
  const [firstPoint, lastPoint] = [points[0], points.at(-1)];
  if (!firstPoint || !lastPoint || lastPoint.time - firstPoint.time < DAY_MS) return null;
  return Math.max(0, Math.round((lastPoint.value - firstPoint.value) / ((lastPoint.time - firstPoint.time) / DAY_MS)));
}
