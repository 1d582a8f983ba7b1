import type { Histories } from "../../api/botShapes.ts";
import { type Metric, metricInWords } from "../../core/bots.ts";
import { EMPTY, type Picture, type Point, freeName, thinOut } from "./picture.ts";

/** So many points in all make an address that few places cut. */
const POINTS = 120;
const OF_ONE = 60;

/** Return the points of a bot's history, few enough for an address that holds so many series. */
export function pointsOf(histories: Histories, id: string, count: number): readonly Point[] {
  const points = (histories.get(id) ?? []).map(({ time, value }) => ({ x: time / 1_000, y: value }));
  return thinOut(points, Math.min(OF_ONE, Math.floor(POINTS / count)));
}

/** Return the picture of a counter of some bots. */
export function pictureOf(histories: Histories, bots: readonly { id: string; name: string }[], metric: Metric): Picture {
  const series: Picture["series"][number][] = [];
  for (const [at, { id, name }] of bots.entries()) {
    series.push({ key: at + 1, name: freeName(name, series), points: pointsOf(histories, id, bots.length), color: null });
  }
  return { ...EMPTY, title: metricInWords(metric), series };
}
