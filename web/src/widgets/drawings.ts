import type { Configs, Kind } from "./definition.ts";
import { displayOf } from "./metric/shape.ts";
import { DEFAULT_COLUMNS } from "./words.ts";

/** A picture that an answer can be drawn as. */
export type Drawing = "line" | "area" | "bar" | "ranked" | "number" | "heatmap" | "table";

/** A question together with how its answer is drawn: a kind of widget and its config. */
export interface DrawnQuestion {
  kind: Kind;
  config: object;
}

/** A question about the events of one selection, whose answer is one number, or one for each label or bucket. */
type Measured = { kind: "metric"; config: Configs["metric"] } | { kind: "formula"; config: Configs["formula"] };

/** The drawings in the order in which they are offered, with their names. */
export const DRAWINGS: Record<Drawing, string> = {
  line: "Lines",
  area: "Areas",
  bar: "Bars",
  ranked: "Ranked",
  number: "Number",
  heatmap: "Heat map",
  table: "Events",
};

/** Return how a question is drawn; null for kinds that have one picture only. */
export function drawingOf({ kind, config }: DrawnQuestion): Drawing | null {
  switch (kind) {
    case "metric":
    case "formula":
      return measuredDrawing(config as Configs["metric"]);
    case "kpi":
      return (config as Configs["kpi"]).items.length === 1 ? "number" : null;
    case "heatmap":
    case "table":
      return kind;
    default:
      return null;
  }
}

/** Return the drawings that a question can have, its own among them; none for kinds that have one picture only. */
export function drawingsOf(question: DrawnQuestion): Drawing[] {
  if (drawingOf(question) === null) return [];
  return (Object.keys(DRAWINGS) as Drawing[]).filter((drawing) => drawnAs(question, drawing) !== null);
}

/** Return a question as it is drawn otherwise, with all that carries over; null where it cannot be drawn so. */
export function drawnAs(question: DrawnQuestion, drawing: Drawing): DrawnQuestion | null {
  if (drawingOf(question) === drawing) return question;
  const measured = measuredOf(question);
  if (!measured) return null;
  switch (drawing) {
    case "line":
    case "area":
    case "bar":
      return { ...measured, config: overTime(measured, drawing) };
    case "ranked":
      return measured.config.breakdown ? { ...measured, config: { ...measured.config, overTime: false, interval: null, compare: null } } : null;
    case "number":
      return { ...measured, config: asNumber(measured) };
    case "heatmap":
      return measured.kind === "metric" && measured.config.measure === "count" ? { kind: "heatmap", config: selectionOf(measured.config) } : null;
    case "table":
      return measured.kind === "metric" ? { kind: "table", config: { ...selectionOf(measured.config), columns: columnsOf(measured.config) } } : null;
  }
}

function measuredDrawing({ overTime = false, breakdown, chart, display }: Configs["metric"]): Drawing {
  if (!overTime) return breakdown ? "ranked" : "number";
  const shape = display?.chart ?? chart;
  return shape === "area" || shape === "bar" ? shape : "line";
}

/** Return a question as one measure: of a heat map and of a table, how many events there are over time. */
function measuredOf({ kind, config }: DrawnQuestion): Measured | null {
  switch (kind) {
    case "metric":
    case "formula":
      return { kind, config } as Measured;
    case "kpi":
      return metricOfNumber(config as Configs["kpi"]);
    case "heatmap":
    case "table":
      return { kind: "metric", config: { ...selectionOf(config), measure: "count", overTime: true } };
    default:
      return null;
  }
}

function metricOfNumber({ items, display, compare, segmentId }: Configs["kpi"]): Measured | null {
  const [item, ...otherItems] = items;
  if (!item || otherItems.length > 0) return null;
  const { label: _, good, goal, ...measured } = item;
  return {
    kind: "metric",
    config: {
      ...measured,
      ...(segmentId ? { segmentId } : {}),
      ...(compare === undefined ? {} : { compare }),
      display: { ...display, good: good ?? display?.good ?? null, goal: goal ?? null },
    },
  };
}

function overTime({ kind, config }: Measured, chart: "line" | "area" | "bar"): object {
  if (kind === "formula") return { ...config, overTime: true, display: { ...config.display, chart } };
  return { ...config, overTime: true, chart: null, goal: null, good: null, display: { ...displayOf(config), chart } };
}

function asNumber({ kind, config }: Measured): object {
  const wholeConfig = { ...config, breakdown: null, overTime: false, interval: null };
  return kind === "metric" ? { ...wholeConfig, rest: null } : wholeConfig;
}

type Selection = Pick<Configs["metric"], "event" | "events" | "filters" | "segmentId">;

/** Return what of a config says which events it is about. */
function selectionOf({ event, events, filters, segmentId }: Selection): Selection {
  return {
    ...(event ? { event } : { events: events ?? "all" }),
    ...(filters?.length ? { filters } : {}),
    ...(segmentId ? { segmentId } : {}),
  };
}

const COLUMN_BY_OWN_KEY: Partial<Record<string, string>> = { name: "event", _actor: "actor", _actorLabel: "actor", _source: "source" };

/** Return the columns in which the events show what was measured, and by which key. */
function columnsOf({ breakdown, property }: Configs["metric"]): readonly string[] {
  const keys = [breakdown, property].filter((key) => key && key !== "_group") as string[];
  if (keys.length === 0) return DEFAULT_COLUMNS;
  return [...new Set(["time", "event", "actor", ...keys.map((key) => COLUMN_BY_OWN_KEY[key] ?? `prop:${key.replace(/^prop:/, "")}`)])];
}
