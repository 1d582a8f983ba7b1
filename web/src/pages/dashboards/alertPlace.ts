import type { Dashboard } from "../../api/dashboards.ts";
import type { Spot, Widget } from "../../api/widgets.ts";
import { type Filter, filterToText } from "../../scope/filters.ts";
import type { Configs } from "../../widgets/definition.ts";

type Board = Pick<Dashboard, "environment" | "filters">;
type Asked = Pick<Widget, "type" | "config" | "ignoreDashboardFilters">;

/** Return what a new alert on the number of a widget begins with; null if no alert can watch it. */
export function alertSearchOf(board: Board, widget: Asked, moreFilters: readonly Filter[] = []) {
  if (widget.type !== "metric") return null;
  const { event, measure, property, filters = [], segmentId } = widget.config as Configs["metric"];
  if (!event) return null;
  const allFilters = [...(widget.ignoreDashboardFilters ? [] : board.filters), ...filters, ...moreFilters];
  return {
    env: board.environment,
    event,
    measure,
    ...(property ? { property } : {}),
    ...(allFilters.length > 0 ? { f: allFilters.map(filterToText) } : {}),
    ...(segmentId ? { seg: segmentId } : {}),
  };
}

/** Return the same for one number of a widget, with filters of its own. */
export function pointAlertSearchOf(board: Board, widget: Asked, { item }: Spot, pointFilters: readonly Filter[]) {
  if (widget.type !== "kpi") return alertSearchOf(board, widget, pointFilters);
  const { items, segmentId } = widget.config as Configs["kpi"];
  const question = items[item ?? 0];
  return question ? alertSearchOf(board, { ...widget, type: "metric", config: { ...question, segmentId } as Widget["config"] }, pointFilters) : null;
}
