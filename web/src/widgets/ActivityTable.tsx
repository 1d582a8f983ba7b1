import type { ActorSort } from "../api/activityLists.ts";
import { formatExact } from "../core/numbers.ts";
import type { TimeRange } from "../core/timeRanges.ts";
import { formatAgo, dateTime } from "../core/time.ts";
import { CountBar } from "../ui/CountBar/CountBar.tsx";
import { type Column, Table } from "../ui/Table/Table.tsx";
import { useNow } from "../ui/useNow.ts";
import styles from "./ActivityTable.module.css";
import { lastSeenHead } from "./seenHeads.ts";

export interface ActivityTableProps<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The column that says who it is. */
  nameColumn: Column<Row>;
  /** The column before the last. */
  extraColumn?: Column<Row>;
  /** The time range whose events the rows count. */
  timeRange: TimeRange;
  sort: ActorSort;
  /** Called with the key of a column that sorts. */
  onSort: (key: string) => void;
  timezone: string;
}

/** The bar has 80 px, and only from 1200 px of the window on the room that names leave. */
const WIDTH_BESIDE_EXTRA = "clamp(104px, 100vw - 1060px, 34vw)";

/** Who was active: how often, with bars on a common base, and when last. The rows are sorted by one of these, descending. */
export function ActivityTable<Row extends { eventCount: number; lastSeen: string }>({ nameColumn, extraColumn, timeRange, sort, timezone, ...tableProps }: ActivityTableProps<Row>) {
  const now = useNow();
  const maxCount = Math.max(1, ...tableProps.rows.map(({ eventCount }) => eventCount));
  const columns: Column<Row>[] = [
    { ...nameColumn, render: (row) => <div className={styles.name}>{nameColumn.render(row)}</div> },
    {
      key: "events",
      label: "Events",
      align: "end",
      width: 72,
      sortable: true,
      render: ({ eventCount }) => <b className={styles.count}>{formatExact(eventCount)}</b>,
    },
    {
      key: "bar",
      label: "Compared with the busiest",
      hideLabel: true,
      width: extraColumn ? WIDTH_BESIDE_EXTRA : "46%",
      hideBelow: 600,
      render: ({ eventCount }) => <CountBar share={eventCount / maxCount} />,
    },
    ...(extraColumn ? [extraColumn] : []),
    {
      key: "lastSeen",
      label: lastSeenHead(timeRange),
      align: "end",
      width: 88,
      sortable: true,
      render: ({ lastSeen }) => (
        <time className={styles.last} dateTime={lastSeen} title={dateTime(lastSeen, timezone)}>
          {formatAgo(lastSeen, now)}
        </time>
      ),
    },
  ];
  return <Table {...tableProps} columns={columns} sort={{ key: sort, dir: "desc" }} dense />;
}
