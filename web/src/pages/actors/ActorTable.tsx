import { Link } from "@tanstack/react-router";
import type { ActorRow } from "../../api/actors.ts";
import { exact } from "../../core/numbers.ts";
import type { Span } from "../../core/spans.ts";
import { ago, date, dateTime } from "../../core/time.ts";
import { actorPlace } from "../../scope/places.ts";
import { withSpan } from "../../scope/search.ts";
import { CountBar } from "../../ui/CountBar/CountBar.tsx";
import { Table, rowLink } from "../../ui/Table/Table.tsx";
import { useNow } from "../../ui/useNow.ts";
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
  const now = useNow();
  const most = actors[0]?.eventCount ?? 1;
  return (
    <Table
      label="Actors"
      rows={actors}
      rowKey={({ actorKey }) => actorKey}
      columns={[
        { key: "actor", label: "Actor", render: (actor) => <Who actor={actor} span={span} /> },
        { key: "events", label: "Events", align: "end", width: 96, render: ({ eventCount }) => <b className={styles.count}>{exact(eventCount)}</b> },
        {
          key: "bar",
          label: "Compared with the busiest",
          hideLabel: true,
          width: "26%",
          hideBelow: 900,
          render: ({ eventCount }) => <CountBar share={eventCount / most} />,
        },
        {
          key: "first",
          label: "First seen",
          hideBelow: 900,
          render: ({ firstSeen }) => <time className={styles.muted} dateTime={firstSeen}>{date(firstSeen, timezone)}</time>,
        },
        {
          key: "last",
          label: "Last seen",
          align: "end",
          render: ({ lastSeen }) => (
            <time className={styles.muted} dateTime={lastSeen} title={dateTime(lastSeen, timezone)}>
              {ago(lastSeen, now)}
            </time>
          ),
        },
      ]}
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
