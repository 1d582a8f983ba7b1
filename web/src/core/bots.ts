/** The counters of a bot that have a history, in the order in which people meet them. */
export const METRICS = ["monthly_votes", "total_votes", "server_count", "review_count"] as const;
export type Metric = (typeof METRICS)[number];

/** How far back a history goes; the server has hours up to `30d`, then days. */
export const TIME_FRAMES = ["12h", "1d", "3d", "7d", "30d", "90d", "180d", "270d", "1y", "3y", "5y", "alltime"] as const;
export type TimeFrame = (typeof TIME_FRAMES)[number];

/** As many bots as one comparison takes. */
export const MAX_COMPARED = 10;

const ID = /^[0-9]{17,19}$/;
const NUMBER = /^[1-9][0-9]{0,8}$/;

const METRIC_WORDS: Record<Metric, string> = {
  monthly_votes: "Monthly votes",
  total_votes: "Total votes",
  server_count: "Servers",
  review_count: "Reviews",
};

const FRAME_WORDS: Partial<Record<TimeFrame, string>> = { "1d": "24h", alltime: "All" };

/** Name a counter in words: "Monthly votes". */
export const metricInWords = (metric: Metric): string => METRIC_WORDS[metric];

/** Name a time frame as briefly as its button: "24h", "90d", "All". */
export const frameInWords = (frame: TimeFrame): string => FRAME_WORDS[frame] ?? frame;

/** Return whether a text has the form of a bot's or a user's id. */
export const isBotId = (text: string): boolean => ID.test(text);

/** Return the ids that an address names with commas between them: each once, and no more than one comparison takes. */
export function idsIn(text: string | undefined): string[] {
  return [...new Set((text ?? "").split(",").filter(isBotId))].slice(0, MAX_COMPARED);
}

/** Return a parameter if it is an id, else undefined. */
export function botIdParameter(value: unknown): string | undefined {
  return typeof value === "string" && isBotId(value) ? value : undefined;
}

/** Return a parameter if it holds ids, else undefined. */
export function idListParameter(value: unknown): string | undefined {
  const ids = typeof value === "string" ? idsIn(value) : [];
  return ids.length > 0 ? ids.join(",") : undefined;
}

/** Return a parameter if it is a number of rows to skip, else undefined. */
export function offsetParameter(value: unknown): string | undefined {
  return typeof value === "string" && NUMBER.test(value) ? value : undefined;
}

const FRAME_BUCKETS: Partial<Record<TimeFrame, number>> = {
  ...{ "12h": 12, "1d": 24, "3d": 72, "7d": 168, "30d": 720 },
  ...{ "90d": 90, "180d": 180, "270d": 270, "1y": 365, "3y": 1_095, "5y": 1_826 },
};

/** Return how many hours or days a time frame has; null for the one that begins with the first data. */
export const bucketCountOf = (frame: TimeFrame): number | null => FRAME_BUCKETS[frame] ?? null;

/** Return whether the server has hours, not days, for a time frame. */
export const hasHours = (frame: TimeFrame): boolean => TIME_FRAMES.indexOf(frame) <= TIME_FRAMES.indexOf("30d");
