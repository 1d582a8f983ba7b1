import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ActivityEntry, activityQuery } from "../../api/alerts.ts";
import { formatClock } from "../../core/time.ts";
import { Card } from "../../ui/Card/Card.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./ActivityFeed.module.css";
import { durationMsByEntryId, groupByDay } from "./activity.ts";
import { activityInWords } from "./words.ts";

const MAX_ENTRY_COUNT = 20;

interface ActivityFeedProps {
  /** The newest first. */
  entries: readonly ActivityEntry[];
  timezone: string;
  /** Whether each entry says which alert it is about. */
  hasAlertNames?: boolean;
}

/** What alerts did, day by day. */
export function ActivityFeed({ entries, timezone, hasAlertNames = true }: ActivityFeedProps) {
  const now = useNow();
  const durationMsById = durationMsByEntryId(entries);
  return groupByDay(entries, timezone, now).map(({ name, entries: dayEntries }) => (
    <section key={name} className={styles.day}>
      <h3 className={styles.heading}>{name}</h3>
      <ul>
        {dayEntries.map((entry) => {
          const text = activityInWords(entry, durationMsById.get(entry.id) ?? null);
          return (
            <li key={entry.id} className={styles.entry} data-type={entry.type}>
              <div className={styles.words}>
                {hasAlertNames ? (
                  <Link to="/alerts/$alertId" params={{ alertId: entry.alertId }} className={styles.name}>
                    {entry.alertName}
                  </Link>
                ) : null}
                <p className={hasAlertNames ? styles.did : styles.name}>{text}</p>
              </div>
              <time dateTime={entry.at} className={styles.time}>
                {formatClock(entry.at, timezone).slice(0, 5)}
              </time>
            </li>
          );
        })}
      </ul>
    </section>
  ));
}

/** What one alert did, the newest first; nothing while it has done nothing. */
export function AlertActivity({ alertId, timezone }: { alertId: string; timezone: string }) {
  const { data: entries = [] } = useQuery(activityQuery(MAX_ENTRY_COUNT, alertId));
  if (entries.length === 0) return null;
  return (
    <Card title="Activity" note={`newest ${entries.length}`} flush>
      <ActivityFeed entries={entries} timezone={timezone} hasAlertNames={false} />
    </Card>
  );
}
