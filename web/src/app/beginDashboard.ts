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
  const widgets = dashboard?.widgets ?? [];
  const ask = ({ id: widget }: { id: string }) => void queryClient.query(widgetQuery(widgetData(widget, asked))).catch(() => undefined);
  // Scripts before all answers but the first: a browser has few connections to a server, and answers take longer.
  widgets.slice(0, 1).forEach(ask);
  for (const { type } of widgets) void definitionOf(type)?.View.load?.();
  widgets.slice(1).forEach(ask);
}
