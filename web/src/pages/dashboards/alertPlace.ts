import type { Dashboard } from "../../api/dashboards.ts";
import type { Widget } from "../../api/widgets.ts";
import { filterToText } from "../../scope/filters.ts";
import type { Configs } from "../../widgets/definition.ts";

/** Return what a new alert on the number of a widget begins with; null if no alert can watch it. */
export function alertSearchOf({ environment, filters: boardFilters }: Pick<Dashboard, "environment" | "filters">, widget: Pick<Widget, "type" | "config" | "ignoreDashboardFilters">) {
  if (widget.type !== "metric") return null;
  const { event, measure, property, filters = [], segmentId } = widget.config as Configs["metric"];
  if (!event) return null;
  const allFilters = [...(widget.ignoreDashboardFilters ? [] : boardFilters), ...filters];
  return {
    env: environment,
    event,
    measure,
    ...(property ? { property } : {}),
    ...(allFilters.length > 0 ? { f: allFilters.map(filterToText) } : {}),
    ...(segmentId ? { seg: segmentId } : {}),
  };
}
