import { useQuery } from "@tanstack/react-query";
import { type Alert, activityQuery } from "../../api/alerts.ts";
import { Card } from "../../ui/Card/Card.tsx";
import { ActivityFeed } from "./ActivityFeed.tsx";

const MAX_ENTRY_COUNT = 20;

/** What one alert did, the newest first; nothing while it has done nothing. */
export function AlertActivity({ alert: { id }, timezone }: { alert: Pick<Alert, "id">; timezone: string }) {
  const { data: entries = [] } = useQuery(activityQuery(MAX_ENTRY_COUNT, id));
  if (entries.length === 0) return null;
  return (
    <Card title="Activity" note={`newest ${entries.length}`} flush>
      <ActivityFeed entries={entries} timezone={timezone} hasAlertNames={false} />
    </Card>
  );
}
