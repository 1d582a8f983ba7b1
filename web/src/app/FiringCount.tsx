import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { alertsQuery } from "../api/alerts.ts";
import { useScope } from "../scope/useScope.ts";
import { Badge } from "../ui/Badge/Badge.tsx";
import { Hidden } from "../ui/Hidden/Hidden.tsx";
import styles from "./FiringCount.module.css";

/** After the first page has what it shows, in milliseconds. */
const START_DELAY_MS = 2_000;
const REFRESH_MS = 60_000;

/** How many alerts of the environment fire now; nothing while none does. It waits until the page has loaded. */
export function FiringCount() {
  const [isWaitOver, setWaitOver] = useState(false);
  const { environment } = useScope();
  const { pathname } = useLocation();
  useEffect(() => {
    const timer = window.setTimeout(() => setWaitOver(true), START_DELAY_MS);
    return () => window.clearTimeout(timer);
  }, []);
  // The list of alerts asks for itself, and says when it cannot.
  const mayAsk = isWaitOver && pathname !== "/alerts";
  const { data: alerts = [] } = useQuery({ ...alertsQuery, enabled: mayAsk, staleTime: REFRESH_MS, refetchInterval: REFRESH_MS });
  const firingCount = alerts.filter((alert) => alert.status === "firing" && alert.environment === environment).length;
  if (firingCount === 0) return null;
  return (
    <span className={styles.count}>
      <Badge tone="error">
        {firingCount}
        <Hidden> firing</Hidden>
      </Badge>
    </span>
  );
}
