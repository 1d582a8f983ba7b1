import { Link } from "@tanstack/react-router";
import type { ActorRow } from "../../api/actors.ts";
import type { Span } from "../../core/spans.ts";
import { date } from "../../core/time.ts";
import { actorPlace } from "../../scope/places.ts";
import { withSpan } from "../../scope/search.ts";
import { rowLink } from "../../ui/Table/Table.tsx";
import { ActivityTable } from "../../widgets/ActivityTable.tsx";
import styles from "./ActorTable.module.css";

export interface ActorTableProps {
  /** The busiest first. */
  actors: readonly ActorRow[];
  /** The span of the list, which the page of an actor keeps. */
  span: Span;
  timezone: string;
}

/** Actors by activity, with bars on a common base. Equal labels are told apart by their keys. */
export function ActorTable({ actors, span, timezone }: ActorTableProps) {
  return (
    <ActivityTable
      label="Actors"
      rows={actors}
      rowKey={({ actorKey }) => actorKey}
      who={{ key: "actor", label: "Actor", render: (actor) => <Who actor={actor} span={span} /> }}
      first={{
        key: "first",
        label: "First seen",
        hideBelow: 900,
        render: ({ firstSeen }) => <time className={styles.first} dateTime={firstSeen}>{date(firstSeen, timezone)}</time>,
      }}
      barWidth="26%"
      timezone={timezone}
    />
  );
}

function Who({ actor: { actorKey, label }, span }: { actor: ActorRow; span: Span }) {
  const place = actorPlace(actorKey);
  return (
    <div className={styles.who}>
      <Link to="/actors/$actorKey" params={place.params} search={{ ...withSpan({}, span), ...place.search }} className={rowLink}>
        {label ?? <span className={styles.key}>{actorKey}</span>}
      </Link>
      {label === null ? <p className={styles.sub}>no label sent</p> : <p className={styles.key}>{actorKey}</p>}
    </div>
  );
}
