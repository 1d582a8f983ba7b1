import { Link } from "@tanstack/react-router";
import type { Activity } from "../../api/alerts.ts";
import { formatClock } from "../../core/time.ts";
import { useNow } from "../../ui/useNow.ts";
import styles from "./ActivityFeed.module.css";
import { daysOf, durationsById } from "./activity.ts";
import { activityInWords } from "./words.ts";

export interface ActivityFeedProps {
  /** The newest first. */
  entries: readonly Activity[];
  timezone: string;
  /** Whether each entry says which alert it is about. */
  isNamed?: boolean;
}

/** What alerts did, day by day. */
export function ActivityFeed({ entries, timezone, isNamed = true }: ActivityFeedProps) {
  const now = useNow();
  const durations = durationsById(entries);
  return daysOf(entries, timezone, now).map(({ name, entries: own }) => (
    <section key={name} className={styles.day}>
      <h3 className={styles.heading}>{name}</h3>
      <ul>
        {own.map((entry) => {
          const words = activityInWords(entry, durations.get(entry.id) ?? null);
          return (
            <li key={entry.id} className={styles.entry} data-type={entry.type}>
              <div className={styles.words}>
                {isNamed ? (
                  <Link to="/alerts/$alertId" params={{ alertId: entry.alertId }} className={styles.name}>
                    {entry.alertName}
                  </Link>
                ) : null}
                <p className={isNamed ? styles.did : styles.name}>{words}</p>
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
