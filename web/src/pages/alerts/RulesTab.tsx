import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { AlertChannel } from "../../api/alertChannels.ts";
import { type ActivityEntry, type Alert, activityQuery } from "../../api/alerts.ts";
import { environmentsQuery, environmentLabel } from "../../api/environments.ts";
import { errorInWords } from "../../api/words.ts";
import { countInWords } from "../../core/numbers.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Button, buttonClass } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { ActivityFeed } from "./ActivityFeed.tsx";
import { FiringCard } from "./FiringCard.tsx";
import { RuleList } from "./RuleList.tsx";
import styles from "./RulesTab.module.css";
import { activityWithin, sortByUrgency } from "./activity.ts";
import { FIRST_ENTRY_COUNT, MAX_ENTRY_COUNT, useLiveActivity, type useLiveAlerts, useLiveHistory } from "./useLiveAlerts.ts";

/** So many of those that fire have a card of their own; the others lead the list. */
const MAX_FIRING_CARDS = 3;

export interface RulesTabProps {
  alertsResult: ReturnType<typeof useLiveAlerts>;
  channels: readonly AlertChannel[];
  scope: Scope;
  timezone: string;
  mayWrite: boolean;
}

/** What fires now with its chart, then the other rules, and beside them what alerts did. */
export function RulesTab({ alertsResult: { data: allAlerts, error, refetch }, channels, scope, timezone, mayWrite }: RulesTabProps) {
  const [entryLimit, setEntryLimit] = useState(FIRST_ENTRY_COUNT);
  const activityResult = useLiveActivity(entryLimit);
  const { data: history } = useLiveHistory(activityResult.data?.[0]?.id);
  const olderEntries = useOlderActivity(allAlerts ?? [], activityResult.data);
  if (error && !allAlerts) return <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />;
  if (!allAlerts) return <Skeleton height={320} />;
  const { environment } = scope;
  const alerts = sortByUrgency(allAlerts.filter((alert) => alert.environment === environment));
  const firingAlerts = alerts.filter(({ status }) => status === "firing").slice(0, MAX_FIRING_CARDS);
  const otherAlerts = alerts.slice(firingAlerts.length);
  const entries = olderEntries ?? activityResult.data ?? [];
  const isWholeActivity = entries.length < (olderEntries ? MAX_ENTRY_COUNT : entryLimit);
  return (
    <>
      {firingAlerts.map((alert) => (
        <FiringCard key={alert.id} alert={alert} channels={channels} history={history} activity={entries} timezone={timezone} mayWrite={mayWrite} />
      ))}
      <div className={styles.columns}>
        <div>
          {alerts.length === 0 ? (
            <NoRules environment={environment} mayWrite={mayWrite} />
          ) : otherAlerts.length === 0 ? null : (
            <RuleList
              alerts={otherAlerts}
              channels={channels}
              history={history}
              activity={entries}
              isWholeActivity={isWholeActivity}
              timezone={timezone}
              mayWrite={mayWrite}
            />
          )}
          <OtherEnvironments alerts={allAlerts} scope={scope} />
        </div>
        <ActivityCard activityResult={activityResult} filterEntries={(entries) => activityWithin(entries, allAlerts, environment)} timezone={timezone} entryLimit={entryLimit} onMore={() => setEntryLimit(MAX_ENTRY_COUNT)} />
      </div>
    </>
  );
}

/** Return more of the activity, where the newest entries do not tell when each alert last fired. */
function useOlderActivity(alerts: readonly Alert[], newestEntries: readonly ActivityEntry[] = []): ActivityEntry[] | undefined {
  const firedAlertIds = new Set(newestEntries.filter(({ type }) => type === "fired").map(({ alertId }) => alertId));
  const enabled = newestEntries.length === FIRST_ENTRY_COUNT && alerts.some(({ id }) => !firedAlertIds.has(id));
  const { data } = useQuery({ ...activityQuery(MAX_ENTRY_COUNT), enabled, staleTime: 60_000 });
  return enabled ? data : undefined;
}

function NoRules({ environment, mayWrite }: { environment: string; mayWrite: boolean }) {
  return (
    <State
      title="No alerts yet"
      detail={
        mayWrite
          ? "An alert watches a number and notifies you when something is wrong. Before you save one, you'll see how often it would have fired."
          : "An alert watches a number and notifies you when something is wrong. A developer can create one."
      }
      action={
        mayWrite ? (
          <Link to="/alerts/new" search={{ env: environment }} className={buttonClass("primary")}>
            Create an alert
          </Link>
        ) : null
      }
    />
  );
}

/** Alerts of other environments: that there are some, and that one fires, must not be a secret of the picker. */
function OtherEnvironments({ alerts, scope }: { alerts: readonly Alert[]; scope: Scope }) {
  const { data: environments = [] } = useQuery(environmentsQuery);
  const otherNames = [...new Set(alerts.map(({ environment }) => environment))].filter((name) => name !== scope.environment);
  return otherNames.map((name) => {
    const alertsThere = alerts.filter(({ environment }) => environment === name);
    const firingCount = alertsThere.filter(({ status }) => status === "firing").length;
    const firingText = firingCount === 0 ? "" : `, ${firingCount} firing`;
    return (
      <p key={name} className={styles.elsewhere}>
        {countInWords(alertsThere.length, "alert")} in {environmentLabel(environments, name)}
        {firingText}
        <Button small variant="quiet" aria-label={`Show ${environmentLabel(environments, name)}`} onClick={() => scope.setEnvironment(name)}>
          Show
        </Button>
      </p>
    );
  });
}

interface ActivityCardProps {
  activityResult: ReturnType<typeof useLiveActivity>;
  filterEntries: (entries: ActivityEntry[]) => ActivityEntry[];
  timezone: string;
  entryLimit: number;
  onMore: () => void;
}

function ActivityCard({
  activityResult: { data, error, refetch, isPlaceholderData },
  filterEntries,
  timezone,
  entryLimit,
  onMore,
}: ActivityCardProps) {
  const entries = data && filterEntries(data);
  const hasMore = entryLimit === FIRST_ENTRY_COUNT && data?.length === FIRST_ENTRY_COUNT;
  const moreButton: ReactNode = hasMore || isPlaceholderData ? (
    <Button small busy={isPlaceholderData} onClick={onMore}>Show more</Button>
  ) : null;
  return (
    <aside aria-label="Alert activity">
      <Card title="Activity" note={entries && entries.length > 0 ? `newest ${entries.length}` : undefined} busy={isPlaceholderData} footer={moreButton} flush>
        {error && !data ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : !entries ? (
          <div className={styles.quiet}>
            <Skeleton height={160} />
          </div>
        ) : entries.length === 0 ? (
          <p className={styles.quiet}>No activity yet. Alerts appear here when they fire or resolve.</p>
        ) : (
          <ActivityFeed entries={entries} timezone={timezone} />
        )}
      </Card>
    </aside>
  );
}
