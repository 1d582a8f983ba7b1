import { useQuery } from "@tanstack/react-query";
import { type Alert, activityQuery } from "../../api/alerts.ts";
import { Card } from "../../ui/Card/Card.tsx";
import { ActivityFeed } from "./ActivityFeed.tsx";

const NEWEST = 20;

/** What one alert did, the newest first; nothing while it has done nothing. */
export function AlertActivity({ alert: { id }, timezone }: { alert: Pick<Alert, "id">; timezone: string }) {
  const { data = [] } = useQuery(activityQuery(NEWEST, id));
  if (data.length === 0) return null;
  return (
    <Card title="Activity" note={`newest ${data.length}`} flush>
      <ActivityFeed entries={data} timezone={timezone} isNamed={false} />
    </Card>
  );
}
