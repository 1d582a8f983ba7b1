import { Link } from "@tanstack/react-router";
import type { ActorSort } from "../../api/activityLists.ts";
import type { ActorRow } from "../../api/actors.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { formatDate } from "../../core/time.ts";
import { actorLink } from "../../scope/keyLinks.ts";
import { withTimeRange } from "../../scope/search.ts";
import { rowLinkClass } from "../../ui/Table/Table.tsx";
import { ActivityTable } from "../../widgets/ActivityTable.tsx";
import { firstSeenHead } from "../../widgets/seenHeads.ts";
import type { TrendedEvents } from "../../widgets/trends.ts";
import styles from "./ActorTable.module.css";

export interface ActorTableProps {
  actors: readonly ActorRow[];
  /** The events that count; the page of an actor keeps their time range. */
  events: TrendedEvents;
  sort: ActorSort;
  onSort: (key: string) => void;
  timezone: string;
}

/** Actors by activity, with bars on a common base. Equal labels are told apart by their keys. */
export function ActorTable({ actors, events, sort, onSort, timezone }: ActorTableProps) {
  const { timeRange } = events;
  return (
    <ActivityTable
      label="Actors"
      rows={actors}
      rowKey={({ actorKey }) => actorKey}
      nameColumn={{ key: "actor", label: "Actor", render: (actor) => <ActorCell actor={actor} timeRange={timeRange} /> }}
      extraColumn={{
        key: "firstSeen",
        label: firstSeenHead(timeRange),
        width: 112,
        hideBelow: 900,
        sortable: true,
        render: ({ firstSeen }) => <time className={styles.first} dateTime={firstSeen}>{formatDate(firstSeen, timezone)}</time>,
      }}
      events={events}
      sort={sort}
      onSort={onSort}
      timezone={timezone}
    />
  );
}

function ActorCell({ actor: { actorKey, label }, timeRange }: { actor: ActorRow; timeRange: TimeRange }) {
  const linkTarget = actorLink(actorKey);
  return (
    <div className={styles.who}>
      <Link
        to="/actors/$actorKey"
        params={linkTarget.params}
        search={{ ...withTimeRange({}, timeRange), ...linkTarget.search }}
        className={rowLinkClass}
      >
        {label ?? <span className={styles.key}>{actorKey}</span>}
      </Link>
      {label === null ? null : (
        <span className={styles.key} title={actorKey}>
          {actorKey}
        </span>
      )}
    </div>
  );
}
