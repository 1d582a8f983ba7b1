import type { components } from "../api/schema.gen.ts";
import type { RankRow } from "../charts/RankBars.tsx";
import { type ChartSeries, type Mark, type TimeLine, isWindowOver, partWords, partialBucketsOf } from "../charts/series.ts";
import { bucketLabel, bucketName, toMilliseconds, type Interval } from "../core/time.ts";
import { cssColorOf } from "./annotationColors.ts";
import type { Annotation, Answers, DataTable, Spot, SpotLine } from "./definition.ts";
import { formatOf } from "./format.ts";
import { seriesColorsOf, type MetricDisplay } from "./labelColors.ts";
import { labelInWords } from "./words.ts";

type Schemas = components["schemas"];
type OverTime = Schemas["Timeseries"] | Schemas["Multiseries"];
type Point = Schemas["TimePoint"];

/** Name the unit of time of an answer over time, before other words: "per day · "; "" of any other answer. */
export const rhythmOf = (answer: Answers["metric"]): string => ("interval" in answer ? `per ${answer.interval} · ` : "");

/** What a measured answer is about: its name, and whether its values add up to the whole. */
export interface Subject {
  name: string;
  addsUp: boolean;
  /** How many labels a breakdown keeps at most. */
  limit: number;
}

/** Return the time line of an answer over time; a lone series has the name, and others the colors of their labels. */
export function timeLineOf(answer: OverTime, name: string, display?: MetricDisplay): TimeLine {
  const parts = answer.kind === "timeseries" ? [answer] : answer.series;
  const [firstPart] = parts;
  const points = firstPart?.points ?? [];
  const colors = answer.kind === "multiseries" ? seriesColorsOf(answer.series, display) : [];
  const comparedPoints = parts.find((part) => part.compared)?.compared;
  return {
    times: points.map(({ t }) => toMilliseconds(t)),
    comparedTimes: comparedPoints?.map(({ t }) => toMilliseconds(t)),
    series: parts.map((part, index) => ({ ...seriesOf(part, "label" in part ? labelInWords(part) : name), color: colors[index] })),
    partialBuckets: partialBucketsOf(points),
    isOver: isWindowOver(points),
    comparedPartialBuckets: comparedPoints && partialBucketsOf(comparedPoints),
  };
}

interface SeriesPart { points: Point[]; compared?: Point[]; total?: number | null; comparedTotal?: number | null }

/** Return a part as a series. Its total is the server's: what its points add up to need not be the measure of them all. */
function seriesOf({ points, compared, total = null, comparedTotal = null }: SeriesPart, name: string): ChartSeries {
  return {
    name,
    values: points.map(({ value }) => value),
    compared: compared?.map(({ value }) => value),
    total,
    comparedTotal,
  };
}

/** Return the rows of a ranked list; shares only of what adds up, and only if the rows are the whole. */
export function ranksOf({ rows }: Schemas["Categorical"], { addsUp, limit }: Subject, format: (value: number | null) => string): RankRow[] {
  const total = rows.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const isWhole = rows.length < limit || rows.some(({ kind }) => kind === "other");
  const hasShares = addsUp && isWhole && total > 0 && rows.every(({ value }) => (value ?? 0) >= 0);
  return rows.map((row) => ({
    label: labelInWords(row),
    value: row.value,
    text: format(row.value),
    share: hasShares ? (row.value ?? 0) / total : null,
    isQuiet: row.kind !== undefined,
  }));
}

interface Labelled { label: string | null; kind?: "none" | "other" }

/** Return the spot of a label, or of what stands for the rest. */
export const spotOf = ({ label, kind }: Labelled): Spot => (kind === undefined ? { label } : { label: null, kind });

/** Return the numbers of a measured answer; each series is a line of them. */
export function spotLinesOf(answer: Answers["metric"], timezone: string, display?: MetricDisplay): SpotLine[] {
  const format = formatOf(display);
  switch (answer.kind) {
    case "counter":
      return [[{ spot: {}, value: answer.value, inWords: () => "", format }]];
    case "categorical":
      return [answer.rows.map((row) => ({ spot: spotOf(row), value: row.value, inWords: () => labelInWords(row), format }))];
    case "timeseries":
      return [answer.points.map((point) => ({ ...pointSpot(point, answer.interval, timezone), format }))];
    case "multiseries":
      return answer.series.map((part) =>
        part.points.map((point) => {
          const { spot, inWords, ...rest } = pointSpot(point, answer.interval, timezone);
          return { ...rest, spot: { ...spot, ...spotOf(part) }, inWords: () => `${labelInWords(part)}, ${inWords()}`, format };
        }),
      );
  }
}

const pointSpot = ({ t, value }: Point, interval: Interval, timezone: string) => ({
  spot: { t },
  value,
  inWords: () => bucketName(t, interval, timezone),
  bucket: () => ({ startMs: toMilliseconds(t), interval }),
});

const HEADS: Record<Interval, string> = { minute: "Minute", hour: "Hour", day: "Day", week: "Week of", month: "Month" };

/** Return a measured answer as a table, whose values stand in the last columns. */
export function metricTable(answer: Answers["metric"], name: string, timezone: string): DataTable {
  const textColumn = (label: string) => ({ label, numeric: false });
  const numberColumn = (label: string) => ({ label, numeric: true });
  switch (answer.kind) {
    case "counter":
      return {
        columns: [textColumn("Measure"), ...(answer.previous === null ? [] : [numberColumn("Previous")]), numberColumn("Value")],
        rows: [[name, ...(answer.previous === null ? [] : [answer.previous]), answer.value]],
      };
    case "categorical":
      return { columns: [textColumn("Label"), numberColumn(name)], rows: answer.rows.map((row) => [labelInWords(row), row.value]) };
    case "timeseries": {
      const { points, compared, interval } = answer;
      const columns = [textColumn(HEADS[interval]), ...(compared ? [numberColumn("Previous")] : []), numberColumn(name)];
      const rows = points.map((point, index) => [bucketInWords(points, index, interval, timezone), ...(compared ? [compared[index]?.value ?? null] : []), point.value]);
      return { columns, rows };
    }
    case "multiseries": {
      const { series, interval } = answer;
      const rows = (series[0]?.points ?? []).map((_, index, points) => [bucketInWords(points, index, interval, timezone), ...series.map(({ points }) => points[index]?.value ?? null)]);
      return { columns: [textColumn(HEADS[interval]), ...series.map((part) => numberColumn(labelInWords(part)))], rows };
    }
  }
}

/** Name a bucket; of the first and the last, the window may have only a part, and the last may not be over. */
function bucketInWords(points: readonly Point[], index: number, interval: Interval, timezone: string): string {
  const { t = "", partial = false } = points[index] ?? {};
  return bucketLabel(t, interval, timezone) + (partial ? partWords(index, points.length, isWindowOver(points)) : "");
}

/** Return annotations as marks of a chart. */
export function marksOf(annotations: readonly Annotation[]): Mark[] {
  return annotations.map(({ id, label, description, color, time, timeEnd }) => ({
    id,
    label,
    description,
    color: cssColorOf(color),
    time: toMilliseconds(time),
    timeEnd: timeEnd === null ? null : toMilliseconds(timeEnd),
  }));
}
