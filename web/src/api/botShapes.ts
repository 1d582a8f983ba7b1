import { toMilliseconds } from "../core/time.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];

/** A bot in a comparison; a compact answer has only the first of these. */
export type Comparison = Schemas["CompactEntry"] & Partial<Pick<Schemas["BotRecord"], "tags" | "shard_count" | "avg_review_rating" | "counter_source">>;

/** The values of one counter by the ids of bots, oldest first. */
export type Histories = Map<string, HistoryPoint[]>;
interface HistoryPoint {
  /** In milliseconds since 1970. */
  time: number;
  value: number;
}

type RawPoint = Record<string, string | number>;
/** Histories by id, or as a list: the server has both shapes. */
type RawHistories = { data: Record<string, RawPoint[]> } | { data: { id: string; data: RawPoint[] }[] };

/** Read histories in either shape; the server has the newest point first. */
export function historiesOf({ data }: RawHistories, metric: string): Histories {
  const entries = Array.isArray(data) ? data.map(({ id, data: points }) => [id, points] as const) : Object.entries(data);
  return new Map(entries.map(([id, points]) => [id, points.map((point) => pointOf(point, metric)).toReversed()]));
}

function pointOf(point: RawPoint, metric: string): HistoryPoint {
  return { time: toMilliseconds(point.time ?? 0), value: Number(point[metric] ?? 0) };
}
