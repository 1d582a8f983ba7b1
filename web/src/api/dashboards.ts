import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, PATCH, POST, answer } from "./client.ts";
import { deletion } from "./deletion.ts";
import type { components } from "./schema.gen.ts";
import type { Widget } from "./widgets.ts";

type Schemas = components["schemas"];
/** A dashboard with its widgets, in their order. */
export type Dashboard = Omit<Schemas["DashboardOut"], "widgets"> & { widgets: Widget[] };
export type DashboardRow = Schemas["DashboardRow"];
export type DashboardFields = Schemas["DashboardIn"];

/** All dashboards of the workspace, without their widgets. */
export const dashboardsQuery = queryOptions({
  queryKey: ["/v1/dashboards"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/dashboards", { signal }))).dashboards,
});

/** One dashboard with its widgets, in their order. */
export const dashboardQuery = (dashboard_id: string) =>
  queryOptions({
    queryKey: ["/v1/dashboards/{dashboard_id}", dashboard_id],
    queryFn: ({ signal }) =>
      answer(GET("/v1/dashboards/{dashboard_id}", { params: { path: { dashboard_id } }, signal })) as Promise<Dashboard>,
  });

const pathParams = (dashboard_id: string) => ({ params: { path: { dashboard_id } } });

export const createDashboard = (body: DashboardFields) => answer(POST("/v1/dashboards", { body }));
export const changeDashboard = (id: string, body: Schemas["DashboardChange"]) =>
  answer(PATCH("/v1/dashboards/{dashboard_id}", { ...pathParams(id), body })) as Promise<Dashboard>;
export const deleteDashboard = (id: string) => deletion(id, DELETE("/v1/dashboards/{dashboard_id}", pathParams(id)));
/** Publish under a new address; the old one leads nowhere from then on. */
export const replaceSlug = (id: string) => answer(POST("/v1/dashboards/{dashboard_id}/slug", pathParams(id))) as Promise<Dashboard>;
/** Put the widgets in an order: all of their ids, each once. */
export const reorderWidgets = (id: string, widgetIds: string[]) =>
  answer(POST("/v1/dashboards/{dashboard_id}/widgets/reorder", { ...pathParams(id), body: { widgetIds } })) as Promise<{
    widgets: Widget[];
  }>;
