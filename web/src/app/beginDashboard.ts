import type { QueryClient } from "@tanstack/react-query";
import { dashboardQuery } from "../api/dashboards.ts";
import { type DataFields, widgetData, widgetQuery } from "../api/widgets.ts";
import { definitionOf } from "../widgets/registry.ts";

/**
 * Ask for a dashboard, and at once for the pictures and the answers of its widgets, while the page's script is on its way.
 *
 * Waits for the dashboard alone; the page itself says what went wrong. A link that is only pointed at
 * (`cause` is "preload") asks for nothing more.
 */
export async function beginDashboard(queryClient: QueryClient, id: string, asked: DataFields, cause: string) {
  const dashboard = await queryClient.query(dashboardQuery(id)).catch(() => undefined);
  if (cause === "preload") return;
  for (const { id: widget, type } of dashboard?.widgets ?? []) {
    void definitionOf(type)?.View.load?.();
    queryClient.query(widgetQuery(widgetData(widget, asked))).catch(() => undefined);
  }
}
