import type { WidgetFields } from "../../api/widgets.ts";
import type { Configs } from "../../widgets/definition.ts";
import { botHealthWidgets } from "./botHealth.ts";
import { allEvents, makeWidget, MEDIUM_ROWS, SMALL_ROWS } from "./templateWidgets.ts";

/** What a template knows of the environment it is for. */
export interface TemplateFacts {
  /** Names of events, the most frequent first. */
  events: string[];
  /** Whether a group key is registered. */
  hasGroups: boolean;
}

/** A dashboard to start from. */
export interface Template {
  name: string;
  /** What it shows, in a few words. */
  summary: string;
  /** Cells of its picture: columns of twelve, rows, and whether it is drawn strong. */
  sketch: [columns: number, rows: number, strong?: boolean][];
  widgets: (facts: TemplateFacts) => WidgetFields[];
}

const eventFields = (event: string | undefined) => (event === undefined ? allEvents : { event });

function productWidgets({ events: [firstEvent, secondEvent, thirdEvent] }: TemplateFacts): WidgetFields[] {
  const kpiItems = [
    { ...allEvents, measure: "uniq_actors", label: "Actors" },
    { ...allEvents, measure: "count", label: "Events" },
    ...[firstEvent, secondEvent].filter((name) => name !== undefined).map((event) => ({ event, measure: "count", label: event })),
  ] as Configs["kpi"]["items"];
  const steps = [firstEvent, secondEvent, thirdEvent].filter((event) => event !== undefined).map((event) => ({ event }));
  const seriesConfig = { measure: "count", breakdown: "name", overTime: true, limit: 5, display: { chart: "bar" } } as const;
  return [
    makeWidget("kpi", "Overview", [12, SMALL_ROWS], { items: kpiItems, sparklines: true }),
    makeWidget("metric", "Actors", [8, MEDIUM_ROWS], { ...allEvents, measure: "uniq_actors", overTime: true, compare: "previous" }),
    makeWidget("metric", "Most frequent events", [4, MEDIUM_ROWS], { ...allEvents, measure: "count", breakdown: "name", limit: 7 }),
    makeWidget("metric", "Events by name", [6, MEDIUM_ROWS], { ...allEvents, ...seriesConfig }),
    steps.length > 1
      ? makeWidget("funnel", "Conversion", [6, MEDIUM_ROWS], { steps })
      : makeWidget("heatmap", "Events by hour", [6, MEDIUM_ROWS], { ...allEvents }),
    firstEvent === undefined
      ? makeWidget("metric", "Events over time", [6, MEDIUM_ROWS], { ...allEvents, measure: "count", overTime: true })
      : makeWidget("retention", "Retention", [6, MEDIUM_ROWS], { cohortEvent: firstEvent, granularity: "week" }),
    makeWidget("table", "Newest events", [6, MEDIUM_ROWS], { columns: ["time", "event", "actor", "source"], rows: 10 }),
  ];
}

function botWidgets({ events: [firstEvent, secondEvent], hasGroups }: TemplateFacts): WidgetFields[] {
  const unit = hasGroups ? { breakdown: "_group", noun: "servers" } : { breakdown: "_actor", noun: "people" };
  const commandFields = eventFields(firstEvent);
  return [
    makeWidget("metric", firstEvent ?? "Events", [4, SMALL_ROWS], { ...commandFields, measure: "count" }),
    makeWidget("metric", "People", [4, SMALL_ROWS], { ...allEvents, measure: "uniq_actors" }),
    makeWidget("metric", secondEvent ?? "All events", [4, SMALL_ROWS], { ...eventFields(secondEvent), measure: "count" }),
    makeWidget("metric", "Usage over time", [8, MEDIUM_ROWS], { ...commandFields, measure: "count", overTime: true, compare: "previous" }),
    makeWidget("metric", `Most active ${unit.noun}`, [4, MEDIUM_ROWS], {
      ...commandFields,
      measure: "count",
      breakdown: unit.breakdown,
      limit: 7,
    }),
    makeWidget("heatmap", "Usage by hour", [8, MEDIUM_ROWS], { ...commandFields }),
    makeWidget("metric", "Most used", [4, MEDIUM_ROWS], { ...allEvents, measure: "count", breakdown: "name", limit: 7 }),
  ];
}

function onboardingWidgets({ events }: TemplateFacts): WidgetFields[] {
  const stepNames = events.slice(0, 4);
  const [firstStep] = stepNames;
  const lastStep = stepNames.at(-1);
  return [
    stepNames.length > 1
      ? makeWidget("funnel", "Onboarding", [8, 6], { steps: stepNames.map((event) => ({ event })) })
      : makeWidget("metric", "Events by name", [8, 6], { ...allEvents, measure: "count", breakdown: "name" }),
    makeWidget("metric", "Who started", [4, SMALL_ROWS], { ...eventFields(firstStep), measure: "uniq_actors" }),
    makeWidget("metric", "Who arrived", [4, SMALL_ROWS], { ...eventFields(lastStep), measure: "uniq_actors" }),
    makeWidget("metric", "Starts over time", [4, SMALL_ROWS], { ...eventFields(firstStep), measure: "count", overTime: true }),
  ];
}

function healthWidgets(): WidgetFields[] {
  const durationFields = { ...allEvents, property: "otel.duration_ms" };
  const errorFilters = [{ key: "otel.status.code", op: "eq", value: "error" }] as const;
  return [
    makeWidget("kpi", "Overview", [12, SMALL_ROWS], {
      sparklines: true,
      items: [
        { ...allEvents, measure: "count", label: "Spans and logs" },
        { ...durationFields, measure: "median", label: "Duration, median", good: "down" },
        { ...durationFields, measure: "p95", label: "Duration, p95", good: "down" },
        { ...allEvents, measure: "count", label: "Errors", filters: [...errorFilters], good: "down" },
      ] as Configs["kpi"]["items"],
    }),
    makeWidget("metric", "Duration, p95, in ms", [8, MEDIUM_ROWS], { ...durationFields, measure: "p95", overTime: true }),
    makeWidget("metric", "Slowest operations, p95", [4, MEDIUM_ROWS], { ...durationFields, measure: "p95", breakdown: "name", limit: 7 }),
    makeWidget("metric", "Errors by service", [6, MEDIUM_ROWS], {
      ...allEvents,
      measure: "count",
      breakdown: "_source",
      overTime: true,
      filters: [...errorFilters],
      display: { chart: "bar" },
    }),
    makeWidget("metric", "Traffic by service", [6, MEDIUM_ROWS], {
      ...allEvents,
      measure: "count",
      breakdown: "_source",
      overTime: true,
    }),
  ];
}

/** The dashboards that people can start from, after a blank one. */
export const TEMPLATES: Template[] = [
  { name: "Blank", summary: "An empty grid", sketch: [[12, 4]], widgets: () => [] },
  {
    name: "Product overview",
    summary: "Actors, events, retention",
    sketch: [[12, 1], [8, 2, true], [4, 2], [6, 1], [6, 1]],
    widgets: productWidgets,
  },
  {
    name: "Bot overview",
    summary: "Usage, servers, hours of the day",
    sketch: [[4, 2], [8, 2, true], [4, 2], [4, 2], [4, 2, true]],
    widgets: botWidgets,
  },
  {
    name: "Bot health",
    summary: "Commands, errors, joins, shards",
    sketch: [[12, 1], [8, 2, true], [4, 2], [6, 1], [6, 1]],
    widgets: botHealthWidgets,
  },
  {
    name: "Onboarding funnel",
    summary: "Steps, and where people drop off",
    sketch: [[7, 4, true], [5, 2], [5, 2]],
    widgets: onboardingWidgets,
  },
  {
    name: "API health",
    summary: "Durations and errors from OpenTelemetry",
    sketch: [[12, 1], [8, 2, true], [4, 2], [6, 1], [6, 1]],
    widgets: healthWidgets,
  },
];
