import { queryOptions } from "@tanstack/react-query";
import { GET, POST, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";
import { resultOf } from "./results.ts";
import type { WidgetQuery } from "./widgets.ts";

type Schemas = components["schemas"];
/** A widget as anybody may know it: how it is shown, but not what it asks. */
export type PublicWidget = Omit<Schemas["PublicWidget"], "layout"> & { layout: Required<Schemas["Layout"]> };
/** A published dashboard with its widgets, in their order. */
export type PublicPage = Omit<Schemas["PublicPage"], "widgets"> & { widgets: PublicWidget[] };

/** With what the keys of all answers of public widgets begin. */
export const PUBLIC_DATA = "/v1/public/dashboards/{slug}/widgets/{widget_id}/data";

/** How often a page looks whether it is still published, and with which widgets, in milliseconds. */
const RECHECK_MS = 300_000;

/** A published dashboard, without what its widgets are made from. */
export const publicPageQuery = (slug: string) =>
  queryOptions({
    queryKey: ["/v1/public/dashboards/{slug}", slug],
    queryFn: ({ signal }) => answer(GET("/v1/public/dashboards/{slug}", { params: { path: { slug } }, signal })) as Promise<PublicPage>,
    staleTime: RECHECK_MS,
    refetchInterval: RECHECK_MS,
  });

/** Ask for the answer of a public widget: over the saved time range, whoever asks. */
export const publicWidgetQuery = (slug: string, { timeRange, timezone }: PublicPage["dashboard"], widget: PublicWidget): WidgetQuery => {
  const { id: widget_id, title, type, display } = widget;
  return {
    queryKey: [PUBLIC_DATA, slug, widget_id, { title, type, display }, { timeRange, timezone }],
    ask: async (signal) => resultOf(await answer(POST(PUBLIC_DATA, { params: { path: { slug, widget_id } }, parseAs: "text", signal }))),
  };
};
