import type { BackTest, Condition, PastValues } from "../../api/alerts.ts";

type Point = BackTest["points"][number];

/** Which of the values of an hour can begin an incident. */
export type Extreme = "highest" | "lowest";

const EXTREMES: Record<Condition, Extreme | null> = { above: "highest", rises: "highest", below: "lowest", drops: "lowest", nodata: "lowest", anomaly: null };

/** Return which value of an hour a condition looks for; null if it is either. */
export const extremeOf = (condition: Condition): Extreme | null => EXTREMES[condition];

/** Return the hours of a past, each with its highest or lowest minute in place of its last one, so that no incident hides between two hours. */
export function extremePoints({ points, minutes }: Pick<PastValues, "points" | "minutes">, extreme: Extreme): Point[] {
  const minuteCount = minutes.lengths.reduce((sum, length) => sum + length, 0);
  const hourMinutes = minuteCount / Math.max(points.length, 1);
  const hourValues = points.map((): number | null => null);
  let start = 0;
  for (const [index, value] of minutes.values.entries()) {
    const end = start + (minutes.lengths[index] ?? 0);
    for (let hour = Math.floor(start / hourMinutes); hour * hourMinutes < end; hour += 1) {
      hourValues[hour] = further(hourValues[hour] ?? null, value, extreme);
    }
    start = end;
  }
  return points.map(({ t }, hour) => ({ t, value: hourValues[hour] ?? null }));
}

/** Return one point for so many: the one that is highest or lowest. */
export function thinPoints(points: readonly Point[], extreme: Extreme, groupSize: number): Point[] {
  return Array.from({ length: Math.ceil(points.length / groupSize) }, (_, group) =>
    points
      .slice(group * groupSize, (group + 1) * groupSize)
      .reduce((furthest, point) => (further(furthest.value, point.value, extreme) === furthest.value ? furthest : point)),
  );
}

/** Return the highest or lowest of all values; null without any. */
export const extremeValueOf = (points: readonly Point[], extreme: Extreme): number | null =>
  points.reduce<number | null>((furthest, { value }) => further(furthest, value, extreme), null);

function further(left: number | null, right: number | null, extreme: Extreme): number | null {
  if (left === null || right === null) return left ?? right;
  return extreme === "highest" ? Math.max(left, right) : Math.min(left, right);
}
