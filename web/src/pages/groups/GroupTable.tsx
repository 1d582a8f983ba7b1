import { Link } from "@tanstack/react-router";
import type { GroupKey, GroupRow } from "../../api/groups.ts";
import { exact } from "../../core/numbers.ts";
import type { Span } from "../../core/spans.ts";
import { ago, dateTime } from "../../core/time.ts";
import { groupPlace } from "../../scope/places.ts";
import { withSpan } from "../../scope/search.ts";
import { CountBar } from "../../ui/CountBar/CountBar.tsx";
import { Table, rowLink } from "../../ui/Table/Table.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./GroupTable.module.css";

export interface GroupTableProps {
  /** The busiest first. */
  groups: readonly GroupRow[];
  shown: GroupKey;
  /** The span of the list, which the page of a group keeps. */
  span: Span;
  timezone: string;
}

/** Groups by activity, with bars on a common base. */
export function GroupTable({ groups, shown, span, timezone }: GroupTableProps) {
  const now = useNow();
  const most = groups[0]?.eventCount ?? 1;
  return (
    <Table
      label={shown.label}
      rows={groups}
      rowKey={({ groupKey }) => groupKey}
      columns={[
        {
          key: "group",
          label: shown.label,
          render: ({ groupKey }) => {
            const place = groupPlace(groupKey, shown.propKey);
            return (
              <Link to="/groups/$groupKey" params={place.params} search={{ ...withSpan({}, span), ...place.search }} className={rowLink}>
                {groupKey}
              </Link>
            );
          },
        },
        { key: "events", label: "Events", align: "end", width: 96, render: ({ eventCount }) => <b className={styles.count}>{exact(eventCount)}</b> },
        {
          key: "bar",
          label: "Compared with the busiest",
          hideLabel: true,
          width: "36%",
          hideBelow: 900,
          render: ({ eventCount }) => <CountBar share={eventCount / most} />,
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
