import type { QueryClient } from "@tanstack/react-query";
import { dashboardQuery } from "../api/dashboards.ts";
import { type DataFields, type Widget, savedWidgetQuery, widgetQuery } from "../api/widgets.ts";
import type { Kind } from "../widgets/definition.ts";
import { cardCountInWindow } from "../widgets/firstWindow.ts";
import { definitionOf } from "../widgets/registry.ts";

/**
 * Ask for a dashboard, and at once for the answers of the cards that begin in the window and for what draws all cards,
 * while the page's script is on its way. The other cards have their turn once these have their answers.
 *
 * Waits for the dashboard alone; the page itself says what went wrong. A link that is only pointed at
 * (`cause` is "preload") asks for nothing more.
 */
export async function beginDashboard(queryClient: QueryClient, id: string, dataFields: DataFields, cause: string) {
  const dashboard = await queryClient.query(dashboardQuery(id)).catch(() => undefined);
  if (!dashboard || cause === "preload") return;
  const { widgets } = dashboard;
  const visibleWidgets = widgets.slice(0, cardCountInWindow(widgets.map(({ layout }) => layout), window.innerWidth, window.innerHeight));
  const prefetchWidget = (widget: Widget) => void queryClient.query(widgetQuery(savedWidgetQuery(dashboard, widget, dataFields))).catch(() => undefined);
  const loadView = ({ type }: { type: Kind }) => void definitionOf(type)?.View.load?.();
  // Scripts before all answers but the first: a browser has few connections to a server, and answers take longer.
  visibleWidgets.slice(0, 1).forEach(prefetchWidget);
  visibleWidgets.forEach(loadView);
  visibleWidgets.slice(1).forEach(prefetchWidget);
  widgets.forEach(loadView);
}
