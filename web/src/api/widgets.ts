import { queryOptions } from "@tanstack/react-query";
import type { TimeRange } from "../core/timeRanges.ts";
import { DELETE, PATCH, POST, answer } from "./client.ts";
import { deletion } from "./deletion.ts";
import { type Result, resultOf } from "./results.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
/** A widget as it is saved; answers always carry its whole layout. */
export type Widget = Omit<Schemas["WidgetOut"], "layout"> & { layout: Required<Schemas["Layout"]> };
export type WidgetFields = Schemas["WidgetIn"];
export type { Result };
/** What a dashboard has saved that the answers of its widgets depend on. */
export interface SavedScope {
  environment: string;
  timeRange: NonNullable<DataFields["timeRange"]>;
  filters: Schemas["Filter"][];
}
/** A viewer's own time range and filters for one request; what is absent is as saved. */
export type DataFields = Partial<Schemas["DataIn"]>;
export type Question = Schemas["QueryIn"];
export type Spot = Schemas["Spot"];
export type Differences = Schemas["Differences"];
export type BehindPage = Schemas["ActorsBehind"] | Schemas["GroupsBehind"];

/** With what the keys of all answers of widgets begin. */
export const WIDGET_DATA = "/v1/widgets/{widget_id}/data";

/** How to ask for the answer of a widget: members and the public ask differently. */
export interface WidgetQuery {
  queryKey: readonly unknown[];
  ask: (signal: AbortSignal) => Promise<Result>;
}

/** How long the answer of a widget is shown again without asking, in milliseconds. */
const FRESH_MS = 30_000;

/** The same for the store of answers. */
export const widgetQuery = ({ queryKey, ask }: WidgetQuery) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => ask(signal), staleTime: FRESH_MS });

/** Cards draw their series: those that have no color of their own are one series, the server's. */
const AS_DRAWN = { foldSeries: true };

/** What an answer about a saved widget depends on: what it is about, and how that is looked at. */
export function dependenciesOf(dashboard: SavedScope, widget: Widget, { filters = [], ...timeRange }: DataFields): [about: object, view: object] {
  const { type, config, ignoreDashboardFilters } = widget;
  const view = "timeRange" in timeRange || "from" in timeRange ? timeRange : { ...timeRange, timeRange: dashboard.timeRange };
  return [
    { environment: dashboard.environment, type, config },
    { ...view, filters: ignoreDashboardFilters ? filters : [...dashboard.filters, ...filters] },
  ];
}

/** Ask for the answer of a saved widget. */
export const savedWidgetQuery = (dashboard: SavedScope, widget: Widget, body: DataFields): WidgetQuery => ({
  queryKey: [WIDGET_DATA, widget.id, ...dependenciesOf(dashboard, widget, body)],
  ask: async (signal) =>
    resultOf(await answer(POST(WIDGET_DATA, { params: { path: { widget_id: widget.id } }, body: { ...body, ...AS_DRAWN }, parseAs: "text", signal }))),
});

/** The answer to a question that nobody has saved. */
export const questionQuery = (question: Question) => {
  const { environment, type, config, ...view } = question;
  return queryOptions({
    queryKey: ["/v1/query", { environment, type, config }, view],
    queryFn: async ({ signal }) => resultOf(await answer(POST("/v1/query", { body: question, parseAs: "text", signal }))),
    staleTime: 30_000,
    retry: false,
  });
};

/** The question of a preview, whose answer is drawn like that of a card. */
export const previewQuestion = (environment: string, type: Question["type"], config: Question["config"], timeRange: TimeRange): Question =>
  ({ environment, type, config, ...timeRange, ...AS_DRAWN });

/** Who is behind one number of a widget: a page of at most 200. */
export const fetchBehindPage = (widget_id: string, body: Partial<Schemas["BehindIn"]>, signal?: AbortSignal): Promise<BehindPage> =>
  answer(
    POST("/v1/widgets/{widget_id}/actors", { ...pathParams(widget_id), body: { ...body, ...AS_DRAWN }, signal: signal ?? null }),
  ) as Promise<BehindPage>;

/** The same of a question that nobody has saved. */
export const fetchQuestionPage = (question: Question, at: Spot, page: { limit: number; cursor?: string }, signal: AbortSignal): Promise<BehindPage> =>
  answer(POST("/v1/query/actors", { body: { ...question, at, ...page }, signal })) as Promise<BehindPage>;

/** What is different about the events behind one number of a widget, and where the number usually is. */
export const differencesQuery = (dashboard: SavedScope, widget: Widget, body: DataFields, at: Spot) =>
  queryOptions({
    queryKey: ["/v1/widgets/{widget_id}/differences", widget.id, at, ...dependenciesOf(dashboard, widget, body)],
    queryFn: ({ signal }): Promise<Differences> =>
      answer(POST("/v1/widgets/{widget_id}/differences", { ...pathParams(widget.id), body: { ...body, ...AS_DRAWN, at }, signal })),
    staleTime: FRESH_MS,
    retry: false,
  });

const pathParams = (widget_id: string) => ({ params: { path: { widget_id } } });

export const addWidget = (dashboard_id: string, body: WidgetFields) =>
  answer(POST("/v1/dashboards/{dashboard_id}/widgets", { params: { path: { dashboard_id } }, body })) as Promise<Widget>;
const fieldsOf = ({ type, title, config, layout, ignoreDashboardFilters }: Widget): WidgetFields =>
  ({ type, title, config, layout, ignoreDashboardFilters });
/** Put a copy of a widget at the end of a dashboard. The rows of a copy are not published before somebody says so. */
export const copyWidget = (dashboard_id: string, widget: Widget) => addWidget(dashboard_id, fieldsOf(widget));
/** Put a widget that was deleted back, as it was, at the end of its dashboard. */
export const restoreWidget = (widget: Widget) =>
  addWidget(widget.dashboardId, { ...fieldsOf(widget), publishRows: widget.publishRows });
export const changeWidget = (id: string, body: Partial<Schemas["WidgetChange"]>) =>
  answer(PATCH("/v1/widgets/{widget_id}", { ...pathParams(id), body })) as Promise<Widget>;
export const deleteWidget = (id: string) => deletion(id, DELETE("/v1/widgets/{widget_id}", pathParams(id)));

/** Everybody behind one number of a widget, as CSV. */
export const fetchBehindCsv = (widget_id: string, body: Partial<Schemas["BehindIn"]>): Promise<string> =>
  answer(
    POST("/v1/widgets/{widget_id}/actors", { ...pathParams(widget_id), body: { ...body, ...AS_DRAWN }, headers: { Accept: "text/csv" }, parseAs: "text" }),
  );
