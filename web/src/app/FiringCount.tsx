import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { alertsQuery } from "../api/alerts.ts";
import { useScope } from "../scope/useScope.ts";
import { Badge } from "../ui/Badge/Badge.tsx";
import { Hidden } from "../ui/Hidden/Hidden.tsx";
import styles from "./FiringCount.module.css";

/** After the first page has what it shows, in milliseconds. */
const LATER_MS = 2_000;
const AGAIN_MS = 60_000;

/** How many alerts of the environment fire now; nothing while none does. It waits until the page has loaded. */
export function FiringCount() {
  const [enabled, setEnabled] = useState(false);
  const { environment } = useScope();
  const { pathname } = useLocation();
  useEffect(() => {
    const timer = window.setTimeout(() => setEnabled(true), LATER_MS);
    return () => window.clearTimeout(timer);
  }, []);
  // The list of alerts asks for itself, and says when it cannot.
  const asks = enabled && pathname !== "/alerts";
  const { data = [] } = useQuery({ ...alertsQuery, enabled: asks, staleTime: AGAIN_MS, refetchInterval: AGAIN_MS });
  const count = data.filter((alert) => alert.status === "firing" && alert.environment === environment).length;
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      <Badge tone="error">
        {count}
        <Hidden> firing</Hidden>
      </Badge>
    </span>
  );
}
