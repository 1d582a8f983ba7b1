import { Link } from "@tanstack/react-router";
import type { Event } from "../../api/events.ts";
import { formatClock, formatDate } from "../../core/time.ts";
import { actorLink, groupLink } from "../../scope/keyLinks.ts";
import { useNow } from "../../ui/useNow.ts";
import styles from "./EventFacts.module.css";
import { rangeBackTo } from "./rangeBackTo.ts";
import { type GroupColumn, groupOf } from "./useGroupColumn.ts";

/** Nearer than this, an actor's or group's own page reaches back far enough. */
const OWN_RANGES = new Set(["1h", "24h", "7d"]);

export interface EventFactsProps {
  event: Event;
  group: GroupColumn | null;
  timezone: string;
}

/** When, who, in which group, from where. */
export function EventFacts({ event, group, timezone }: EventFactsProps) {
  const { actorKey, actorLabel, timestamp, source, id } = event;
  const groupKey = groupOf(event, group);
  const range = rangeBackTo(timestamp, useNow());
  const rangeSearch = OWN_RANGES.has(range) ? {} : { range };
  const actor = actorKey === null ? null : actorLink(actorKey);
  const place = groupKey === null ? null : groupLink(groupKey, group?.propKey);
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
        {actor ? (
          <>
            <Link to="/actors/$actorKey" params={actor.params} search={{ ...rangeSearch, ...actor.search }}>
              {actorLabel ?? actorKey}
            </Link>{" "}
            {actorLabel === null ? null : <span className={styles.key}>{actorKey}</span>}
          </>
        ) : (
          <span className={styles.none}>anonymous</span>
        )}
      </dd>
      {group ? (
        <>
          <dt>{group.label}</dt>
          <dd>
            {place ? (
              <Link to="/groups/$groupKey" params={place.params} search={{ ...rangeSearch, ...place.search }}>
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
      <dt>Id</dt>
      <dd className={styles.id}>{id}</dd>
    </dl>
  );
}
