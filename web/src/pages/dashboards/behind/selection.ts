import type { Result, Spot, Widget } from "../../../api/widgets.ts";
import type { Condition, Filter } from "../../../scope/filters.ts";
import type { Answers, Configs } from "../../../widgets/definition.ts";
import { type AskedEvents, type Measure, takesProperty } from "../../../widgets/words.ts";

/** The events behind a number as other pages ask for them: by a name and by filters that all hold. */
export interface Selection {
  /** Absent for events of several names. */
  name?: string;
  filters: Filter[];
  segmentId?: string;
  /** What of the number the filters do not say, besides its time: "the hour of the week". */
  leftOut: string[];
}

/** What is known of the workspace that decides how a filter selects a label. */
export interface KnownKeys {
  /** Return the types of the values that a property has had. */
  typesOf: (key: string) => readonly string[];
  /** The key that stands for the default group; absent where no key is registered. */
  groupKey?: string;
}

/** Return events that are selected by a name and filters as filters alone. */
export const filtersOfEvents = ({ name, filters }: Pick<Selection, "name" | "filters">): Filter[] =>
  name === undefined ? filters : [{ key: "name", op: "eq", value: name }, ...filters];

/** Return the events behind a number, without the filters of the dashboard; null where filters cannot say them. */
export function selectionOf({ type, config }: Pick<Widget, "type" | "config">, spot: Spot, answer: Result | undefined, keys: KnownKeys): Selection | null {
  const { segmentId } = config as { segmentId?: string | null };
  const events = eventsOf(type, config, spot, answer, keys);
  return events && { ...events, ...(segmentId ? { segmentId } : {}) };
}

function eventsOf(type: Widget["type"], config: object, spot: Spot, answer: Result | undefined, keys: KnownKeys): Selection | null {
  switch (type) {
    case "metric": {
      const measured = config as Configs["metric"];
      return join(measuredEvents(measured), labelSelection(measured.breakdown, spot, answer, keys));
    }
    case "formula": {
      const { a, b, c, d, breakdown } = config as Configs["formula"];
      const events = sameEvents([a, b, c, d].flatMap((part) => (part ? [measuredEvents(part)] : [])));
      return events && join(events, labelSelection(breakdown, spot, answer, keys));
    }
    case "kpi": {
      const item = (config as Configs["kpi"]).items[spot.item ?? 0];
      return item ? measuredEvents(item) : null;
    }
    case "histogram":
      return join(measuredEvents({ ...(config as Configs["histogram"]), measure: "sum" }), bucketSelection(config as Configs["histogram"], spot, answer));
    case "heatmap":
      return join(measuredEvents({ ...(config as Configs["heatmap"]), measure: "count" }), withoutParts(spot.cell ? ["the hour of the week"] : []));
    default:
      return null;
  }
}

type Measured = AskedEvents & { measure: Measure; property?: string | null; filters?: Filter[] };

/** Return the events that add to a measure (rules/questions#who-is-behind-a-number). */
function measuredEvents({ event, events, measure, property, filters = [] }: Measured): Selection {
  const names = event ? [event] : Array.isArray(events) ? events : [];
  const [name] = names;
  const nameFilters: Filter[] = names.length > 1 ? [{ key: "name", op: "in", value: names }] : [];
  const measuredKey = measure === "uniq_actors" ? "_actor" : takesProperty(measure) ? property : null;
  const measureFilters: Filter[] = measuredKey ? [{ key: measuredKey, op: "exists" }] : [];
  return { ...(names.length === 1 && name !== undefined ? { name } : {}), filters: [...nameFilters, ...filters, ...measureFilters], leftOut: [] };
}

/** Return the events of the parts of a formula; null if they are not the same. */
function sameEvents(parts: Selection[]): Selection | null {
  const [first, ...others] = parts;
  return first && others.every((part) => JSON.stringify(part) === JSON.stringify(first)) ? first : null;
}

const withoutParts = (leftOut: string[]): Selection => ({ filters: [], leftOut });
const byFilters = (...filters: Filter[]): Selection => ({ filters, leftOut: [] });
const join = (events: Selection, part: Selection): Selection =>
  ({ ...events, filters: [...events.filters, ...part.filters], leftOut: [...events.leftOut, ...part.leftOut] });

/** Return the events with the label of a number; all of them where it has none. */
export function labelSelection(breakdown: string | null | undefined, { label, kind }: Spot, answer: Result | undefined, keys: KnownKeys): Selection {
  if (!breakdown || label === undefined) return byFilters();
  const key = breakdown === "_group" ? keys.groupKey : breakdown;
  if (key === undefined) return withoutParts(["the group"]);
  if (kind === "none") return byFilters({ key, op: "not_exists" });
  const types = keys.typesOf(key);
  const isList = types.includes("list");
  if (types.includes("object") || (kind === "other" && isList)) return withoutParts([breakdown]);
  if (kind === "other") return byFilters({ key, op: "exists" }, { key, op: "not_in", value: labelsOf(answer) });
  const value = label ?? "";
  const isValue: Condition = { key, op: "eq", value };
  return byFilters(isList ? { any: [isValue, { key, op: "has", value }] } : isValue);
}

/** Return the labels that an answer has. */
function labelsOf(answer: Result | undefined): string[] {
  const parts = answer?.kind === "categorical" ? answer.rows : answer?.kind === "multiseries" ? answer.series : [];
  return parts.flatMap(({ label }) => (label === null ? [] : [label]));
}

/** A bucket ends before its end, but for the last one. */
function bucketSelection({ property: key }: Configs["histogram"], { bucket }: Spot, answer: Result | undefined): Selection {
  const { buckets = [] } = (answer ?? {}) as Partial<Answers["histogram"]>;
  const bounds = bucket === undefined ? undefined : buckets[bucket];
  if (!bounds) return byFilters();
  return byFilters({ key, op: "gte", value: bounds.from }, { key, op: bounds === buckets.at(-1) ? "lte" : "lt", value: bounds.to });
}
