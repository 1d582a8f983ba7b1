import type { WidgetFields } from "../../api/widgets.ts";
import type { Configs, Kind } from "../../widgets/definition.ts";

/** What a template knows of the environment it is for. */
export interface TemplateFacts {
  /** Names of events, the most frequent first. */
  events: string[];
  /** Whether a group key is registered. */
  groups: boolean;
}

/** A dashboard to start from. */
export interface Template {
  name: string;
  /** What it shows, in a few words. */
  words: string;
  /** Cells of its picture: columns of twelve, rows, and whether it is drawn strong. */
  sketch: [columns: number, rows: number, strong?: boolean][];
  widgets: (facts: TemplateFacts) => WidgetFields[];
}

const SMALL = 2;
const MEDIUM = 4;

function widget<K extends Kind>(type: K, title: string, [w, h]: [number, number], config: Configs[K]): WidgetFields {
  return { type, title, config: config, layout: { w, h } };
}

const all = { events: "all" } as const;
const ofEvent = (event: string | undefined) => (event === undefined ? all : { event });

function product({ events: [first, second, third] }: TemplateFacts): WidgetFields[] {
  const kpis = [
    { ...all, measure: "uniq_actors", label: "Actors" },
    { ...all, measure: "count", label: "Events" },
    ...[first, second].filter((name) => name !== undefined).map((event) => ({ event, measure: "count", label: event })),
  ] as Configs["kpi"]["items"];
  const steps = [first, second, third].filter((event) => event !== undefined).map((event) => ({ event }));
  const series = { measure: "count", breakdown: "name", overTime: true, limit: 5, display: { chart: "bar" } } as const;
  return [
    widget("kpi", "Overview", [12, SMALL], { items: kpis, sparklines: true }),
    widget("metric", "Actors", [8, MEDIUM], { ...all, measure: "uniq_actors", overTime: true, compare: "previous" }),
    widget("metric", "Most frequent events", [4, MEDIUM], { ...all, measure: "count", breakdown: "name", limit: 7 }),
    widget("metric", "Events by name", [6, MEDIUM], { ...all, ...series }),
    steps.length > 1
      ? widget("funnel", "From the first step to the last", [6, MEDIUM], { steps })
      : widget("heatmap", "When things happen", [6, MEDIUM], { ...all }),
    first === undefined
      ? widget("metric", "Events over time", [6, MEDIUM], { ...all, measure: "count", overTime: true })
      : widget("retention", "Who comes back", [6, MEDIUM], { cohortEvent: first, granularity: "week" }),
    widget("table", "Newest events", [6, MEDIUM], { columns: ["time", "event", "actor", "source"], rows: 10 }),
  ];
}

function bot({ events: [first, second], groups }: TemplateFacts): WidgetFields[] {
  const by = groups ? { breakdown: "_group", words: "servers" } : { breakdown: "_actor", words: "people" };
  const command = ofEvent(first);
  return [
    widget("metric", first ?? "Events", [4, SMALL], { ...command, measure: "count" }),
    widget("metric", "People", [4, SMALL], { ...all, measure: "uniq_actors" }),
    widget("metric", second ?? "All events", [4, SMALL], { ...ofEvent(second), measure: "count" }),
    widget("metric", "Use over time", [8, MEDIUM], { ...command, measure: "count", overTime: true, compare: "previous" }),
    widget("metric", `Most active ${by.words}`, [4, MEDIUM], {
      ...command,
      measure: "count",
      breakdown: by.breakdown,
      limit: 7,
    }),
    widget("heatmap", "When it is used", [8, MEDIUM], { ...command }),
    widget("metric", "What is used", [4, MEDIUM], { ...all, measure: "count", breakdown: "name", limit: 7 }),
  ];
}

function onboarding({ events }: TemplateFacts): WidgetFields[] {
  const names = events.slice(0, 4);
  const [first] = names;
  const last = names.at(-1);
  return [
    names.length > 1
      ? widget("funnel", "Onboarding", [8, 6], { steps: names.map((event) => ({ event })) })
      : widget("metric", "Events by name", [8, 6], { ...all, measure: "count", breakdown: "name" }),
    widget("metric", "Who started", [4, SMALL], { ...ofEvent(first), measure: "uniq_actors" }),
    widget("metric", "Who arrived", [4, SMALL], { ...ofEvent(last), measure: "uniq_actors" }),
    widget("metric", "Starts over time", [4, SMALL], { ...ofEvent(first), measure: "count", overTime: true }),
  ];
}

function health(): WidgetFields[] {
  const duration = { ...all, property: "otel.duration_ms" };
  const errors = [{ key: "otel.status.code", op: "eq", value: "error" }] as const;
  return [
    widget("kpi", "Overview", [12, SMALL], {
      sparklines: true,
      items: [
        { ...all, measure: "count", label: "Spans and logs" },
        { ...duration, measure: "median", label: "Duration, median", good: "down" },
        { ...duration, measure: "p95", label: "Duration, p95", good: "down" },
        { ...all, measure: "count", label: "Errors", filters: [...errors], good: "down" },
      ] as Configs["kpi"]["items"],
    }),
    widget("metric", "Duration, p95, in ms", [8, MEDIUM], { ...duration, measure: "p95", overTime: true }),
    widget("metric", "Slowest operations, p95", [4, MEDIUM], { ...duration, measure: "p95", breakdown: "name", limit: 7 }),
    widget("metric", "Errors by service", [6, MEDIUM], {
      ...all,
      measure: "count",
      breakdown: "_source",
      overTime: true,
      filters: [...errors],
      display: { chart: "bar" },
    }),
    widget("metric", "Traffic by service", [6, MEDIUM], {
      ...all,
      measure: "count",
      breakdown: "_source",
      overTime: true,
    }),
  ];
}

/** The dashboards that people can start from, after a blank one. */
export const TEMPLATES: Template[] = [
  { name: "Blank", words: "One empty grid", sketch: [[12, 4]], widgets: () => [] },
  {
    name: "Product overview",
    words: "Actors, events, who comes back",
    sketch: [[12, 1], [8, 2, true], [4, 2], [6, 1], [6, 1]],
    widgets: product,
  },
  {
    name: "Bot overview",
    words: "Use, servers, hours of the day",
    sketch: [[4, 2], [8, 2, true], [4, 2], [4, 2], [4, 2, true]],
    widgets: bot,
  },
  {
    name: "Onboarding funnel",
    words: "Steps, and where people stop",
    sketch: [[7, 4, true], [5, 2], [5, 2]],
    widgets: onboarding,
  },
  {
    name: "API health",
    words: "Durations and errors from OpenTelemetry",
    sketch: [[12, 1], [8, 2, true], [4, 2], [6, 1], [6, 1]],
    widgets: health,
  },
];
