import type { components } from "../api/schema.gen.ts";
import type { Question } from "../api/widgets.ts";
import { type Values, partialBucketsOf } from "../charts/series.ts";
import type { TimeRange } from "../core/timeRanges.ts";
import type { Filter } from "../scope/filters.ts";
import type { Result } from "./definition.ts";

/** How many events a row had, bucket by bucket. */
export interface Trend {
  values: Values;
  partialBuckets: ReadonlySet<number>;
}

/** The events whose trends a list shows. */
export interface TrendedEvents {
  environment: string;
  timeRange: TimeRange;
  filters: readonly Filter[];
  /** The key of an event whose value is the id of its row. */
  key: string;
}

/** As many labels as an answer has at most. */
const MAX_LABELS = 50;

/** Ask for the trends of rows by their ids, as many rows at a time as an answer has labels. */
export function trendQuestions({ environment, timeRange, filters, key }: TrendedEvents, ids: readonly string[]): Question[] {
  const pageCount = Math.ceil(ids.length / MAX_LABELS);
  const pages = Array.from({ length: pageCount }, (_, page) => ids.slice(page * MAX_LABELS, (page + 1) * MAX_LABELS));
  return pages.map((page) => ({
    environment,
    type: "metric",
    ...timeRange,
    config: {
      events: "all",
      measure: "count",
      overTime: true,
      breakdown: key,
      limit: MAX_LABELS,
      filters: [...filters, { key, op: "in", value: page }],
    },
  }));
}

/** Return the trend of each row that the answers have, by its id. */
export function trendsOf(answers: readonly (Result | undefined)[]): Map<string, Trend> {
  return new Map(answers.flatMap((answer) => (answer?.kind === "multiseries" ? answer.series.map(labeledTrend) : [])));
}

const labeledTrend = ({ label, points }: components["schemas"]["Series"]): [string, Trend] => [
  label ?? "",
  { values: points.map(({ value }) => value), partialBuckets: partialBucketsOf(points) },
];
