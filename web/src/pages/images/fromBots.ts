import type { Histories } from "../../api/botShapes.ts";
import { type Metric, metricInWords } from "../../core/bots.ts";
import { raceColors } from "../../core/raceColors.ts";
import { EMPTY_PICTURE, type Picture, type Point, thinOut, uniqueName } from "./picture.ts";

/** So many points in all make an address that few places cut. */
const MAX_TOTAL_POINTS = 120;
const MAX_SERIES_POINTS = 60;

/** Return the points of a bot's history, few enough for an address that holds so many series. */
export function pointsOf(histories: Histories, botId: string, seriesCount: number): readonly Point[] {
  const points = (histories.get(botId) ?? []).map(({ time, value }) => ({ x: time / 1_000, y: value }));
  return thinOut(points, Math.min(MAX_SERIES_POINTS, Math.floor(MAX_TOTAL_POINTS / seriesCount)));
}

/** Return the picture of a counter of some bots, in the colors of their race. */
export function pictureOf(histories: Histories, bots: readonly { id: string; name: string }[], metric: Metric): Picture {
  const series: Picture["series"][number][] = [];
  const colors = raceColors(bots.map(({ id }) => id));
  for (const [index, { id, name }] of bots.entries()) {
    series.push({ key: index + 1, name: uniqueName(name, series), points: pointsOf(histories, id, bots.length), color: colors.get(id) ?? null });
  }
  return { ...EMPTY_PICTURE, title: metricInWords(metric), series };
}
