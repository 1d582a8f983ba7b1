import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { AlertChannel } from "../../api/alertChannels.ts";
import { type Activity, type Alert, activityQuery } from "../../api/alerts.ts";
import { environmentsQuery, environmentLabel } from "../../api/environments.ts";
import { errorInWords } from "../../api/words.ts";
import { countInWords } from "../../core/numbers.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { ActivityFeed } from "./ActivityFeed.tsx";
import { FiringCard } from "./FiringCard.tsx";
import { RuleList } from "./RuleList.tsx";
import styles from "./RulesTab.module.css";
import { activityWithin, byUrgency } from "./activity.ts";
import { FIRST_ENTRIES, MAX_ENTRIES, useLiveActivity, type useLiveAlerts } from "./useLiveAlerts.ts";

/** So many of those that fire have a card of their own; all of them lead the list. */
const MAX_CARDS = 3;

export interface RulesTabProps {
  alerts: ReturnType<typeof useLiveAlerts>;
  channels: readonly AlertChannel[];
  scope: Scope;
  timezone: string;
  mayWrite: boolean;
}

/** What fires now with its chart, then every rule, and beside them what alerts did. */
export function RulesTab({ alerts: { data, error, refetch }, channels, scope, timezone, mayWrite }: RulesTabProps) {
  const [limit, setLimit] = useState(FIRST_ENTRIES);
  const activity = useLiveActivity(limit);
  const older = useOlder(data ?? [], activity.data);
  if (error && !data) return <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} />;
  const { environment } = scope;
  const alerts = byUrgency(data.filter((alert) => alert.environment === environment));
  const firing = alerts.filter(({ status }) => status === "firing").slice(0, MAX_CARDS);
  const entries = older ?? activity.data ?? [];
  const isWhole = entries.length < (older ? MAX_ENTRIES : limit);
  return (
    <>
      {firing.map((alert) => (
        <FiringCard key={alert.id} alert={alert} channels={channels} activity={entries} timezone={timezone} mayWrite={mayWrite} />
      ))}
      <div className={styles.columns}>
        <div>
          {alerts.length === 0 ? (
            <NoRules mayWrite={mayWrite} />
          ) : (
            <RuleList alerts={alerts} channels={channels} activity={entries} isWhole={isWhole} timezone={timezone} mayWrite={mayWrite} />
          )}
          <Elsewhere alerts={data} scope={scope} />
        </div>
        <ActivityCard activity={activity} within={(entries) => activityWithin(entries, data, environment)} timezone={timezone} limit={limit} onMore={() => setLimit(MAX_ENTRIES)} />
      </div>
    </>
  );
}

/** Return more of the activity, where the newest entries do not tell when each alert last fired. */
function useOlder(alerts: readonly Alert[], newest: readonly Activity[] = []): Activity[] | undefined {
  const alertIds = new Set(newest.filter(({ type }) => type === "fired").map(({ alertId }) => alertId));
  const enabled = newest.length === FIRST_ENTRIES && alerts.some(({ id }) => !alertIds.has(id));
  const { data } = useQuery({ ...activityQuery(MAX_ENTRIES), enabled, staleTime: 60_000 });
  return enabled ? data : undefined;
}

function NoRules({ mayWrite }: { mayWrite: boolean }) {
  return (
    <State
      title="No alerts yet"
      detail={
        mayWrite
          ? "An alert watches a number and tells you when something is wrong. Before you save one, you see how often it would have fired."
          : "An alert watches a number and tells when something is wrong. A developer can make one."
      }
    />
  );
}

/** Alerts of other environments: that there are some, and that one fires, must not be a secret of the picker. */
function Elsewhere({ alerts, scope }: { alerts: readonly Alert[]; scope: Scope }) {
  const { data: environments = [] } = useQuery(environmentsQuery);
  const otherNames = [...new Set(alerts.map(({ environment }) => environment))].filter((name) => name !== scope.environment);
  return otherNames.map((name) => {
    const own = alerts.filter(({ environment }) => environment === name);
    const firing = own.filter(({ status }) => status === "firing").length;
    const fires = firing === 0 ? "" : `, ${firing} firing`;
    return (
      <p key={name} className={styles.elsewhere}>
        {countInWords(own.length, "alert")} in {environmentLabel(environments, name)}
        {fires}
        <Button small variant="quiet" aria-label={`Show ${environmentLabel(environments, name)}`} onClick={() => scope.setEnvironment(name)}>
          Show
        </Button>
      </p>
    );
  });
}

interface ActivityCardProps {
  activity: ReturnType<typeof useLiveActivity>;
  within: (entries: Activity[]) => Activity[];
  timezone: string;
  limit: number;
  onMore: () => void;
}

function ActivityCard({ activity: { data, error, refetch, isPlaceholderData }, within, timezone, limit, onMore }: ActivityCardProps) {
  const entries = data && within(data);
  const hasMore = limit === FIRST_ENTRIES && data?.length === FIRST_ENTRIES;
  const more: ReactNode = hasMore || isPlaceholderData ? (
    <Button small busy={isPlaceholderData} onClick={onMore}>
      Show more
    </Button>
  ) : null;
  return (
    <aside aria-label="What alerts did">
      <Card title="Activity" note={entries && entries.length > 0 ? `newest ${entries.length}` : undefined} busy={isPlaceholderData} foot={more} flush>
        {error && !data ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : !entries ? (
          <div className={styles.quiet}>
            <Skeleton height={160} />
          </div>
        ) : entries.length === 0 ? (
          <p className={styles.quiet}>Nothing has fired. Alerts that fire or resolve appear here.</p>
        ) : (
          <ActivityFeed entries={entries} timezone={timezone} />
        )}
      </Card>
    </aside>
  );
}
