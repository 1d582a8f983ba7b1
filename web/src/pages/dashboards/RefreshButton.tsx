import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useEffect, useState } from "react";
import { dashboardQuery } from "../../api/dashboards.ts";
import { WIDGET_DATA } from "../../api/widgets.ts";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import styles from "./DashboardPage.module.css";

/** Ask for the dashboard and all of its widgets again, and say how old the oldest answer is. */
export function RefreshButton({ dashboardId }: { dashboardId: string }) {
  const queryClient = useQueryClient();
  const fetchingCount = useIsFetching({ queryKey: [WIDGET_DATA] });
  const ageText = useAgeText();
  const refresh = () => {
    void queryClient.invalidateQueries({ queryKey: dashboardQuery(dashboardId).queryKey, refetchType: "active" });
    void queryClient.invalidateQueries({ queryKey: [WIDGET_DATA], refetchType: "active" });
  };
  return (
    <button type="button" className={styles.refresh} data-action="refresh" onClick={refresh}>
      <RefreshCw size={14} strokeWidth={1.6} aria-hidden="true" />
      <Hidden>Refresh</Hidden>
      <span className={styles.age}>{fetchingCount > 0 ? "…" : ageText}</span>
    </button>
  );
}

function useAgeText(): string {
  const queryClient = useQueryClient();
  const [seconds, setSeconds] = useState<number | null>(null);
  useEffect(() => {
    const updateAge = () => {
      const queries = queryClient.getQueryCache().findAll({ queryKey: [WIDGET_DATA], type: "active" });
      const updateTimes = queries.map(({ state }) => state.dataUpdatedAt).filter((updatedMs) => updatedMs > 0);
      setSeconds(updateTimes.length > 0 ? Math.round((Date.now() - Math.min(...updateTimes)) / 1000) : null);
    };
    updateAge();
    const timer = window.setInterval(updateAge, 1000);
    return () => window.clearInterval(timer);
  }, [queryClient]);
  if (seconds === null) return "";
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}
