import { Link } from "@tanstack/react-router";
import type { Event } from "../../api/events.ts";
import { formatClock, formatDate } from "../../core/time.ts";
import { rangeBackTo } from "../../core/timeRangeStart.ts";
import { actorLink, groupLink } from "../../scope/keyLinks.ts";
import { useNow } from "../../ui/useNow.ts";
import styles from "./EventFacts.module.css";
import { type GroupColumn, groupKeyOf } from "./useGroupColumn.ts";

/** Nearer than this, an actor's or group's own page reaches back far enough. */
const SHORT_RANGES = new Set(["1h", "24h", "7d"]);

export interface EventFactsProps {
  event: Event;
  groupColumn: GroupColumn | null;
  timezone: string;
}

/** When, who, in which group, from where. */
export function EventFacts({ event, groupColumn, timezone }: EventFactsProps) {
  const { actorKey, actorLabel, timestamp, source, id } = event;
  const groupKey = groupKeyOf(event, groupColumn);
  const range = rangeBackTo(timestamp, useNow());
  const rangeSearch = SHORT_RANGES.has(range) ? {} : { range };
  const actorTarget = actorKey === null ? null : actorLink(actorKey);
  const groupTarget = groupKey === null ? null : groupLink(groupKey, groupColumn?.propKey);
  return (
    <dl className={styles.facts}>
      <dt>Time</dt>
      <dd>
        <time dateTime={timestamp}>
          {formatDate(timestamp, timezone)}, {formatClock(timestamp, timezone)}.{timestamp.slice(20, 23)} {timezone}
        </time>
      </dd>
      <dt>Actor</dt>
      <dd>
        {actorTarget ? (
          <>
            <Link to="/actors/$actorKey" params={actorTarget.params} search={{ ...rangeSearch, ...actorTarget.search }}>
              {actorLabel ?? actorKey}
            </Link>{" "}
            {actorLabel === null ? null : <span className={styles.key}>{actorKey}</span>}
          </>
        ) : (
          <span className={styles.none}>anonymous</span>
        )}
      </dd>
      {groupColumn ? (
        <>
          <dt>{groupColumn.label}</dt>
          <dd>
            {groupTarget ? (
              <Link to="/groups/$groupKey" params={groupTarget.params} search={{ ...rangeSearch, ...groupTarget.search }}>
                {groupKey}
              </Link>
            ) : (
              <span className={styles.none}>none</span>
            )}
          </dd>
        </>
      ) : null}
      <dt>Source</dt>
      <dd>{source ?? <span className={styles.none}>not sent</span>}</dd>
      <dt>ID</dt>
      <dd className={styles.id}>{id}</dd>
    </dl>
  );
}
