import { useQuery } from "@tanstack/react-query";
import { useLocation, useParams } from "@tanstack/react-router";
import { dashboardQuery } from "../../api/dashboards.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { useScope } from "../../scope/useScope.ts";

/** What a question is about that does not say it, and the dashboard on which it is asked. */
export interface PageScope {
  environment: string;
  timeRange: TimeRange;
  dashboardId: string | undefined;
}

/** Return the environment and the time range of the page, as its address or its dashboard has them. */
export function usePageScope(): PageScope {
  const isDashboard = useLocation().pathname.startsWith("/d/");
  const { id = "" } = useParams({ strict: false });
  const { data: dashboard } = useQuery({ ...dashboardQuery(id), enabled: isDashboard });
  const { environment, timeRange } = useScope(
    dashboard && isDashboard ? { environment: dashboard.environment, timeRange: { timeRange: dashboard.timeRange } } : {},
  );
  return { environment, timeRange, dashboardId: isDashboard ? id : undefined };
}
