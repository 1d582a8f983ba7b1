import type { ActorSort } from "../api/activityLists.ts";
import { formatExact } from "../core/numbers.ts";
import { formatAgo, dateTime } from "../core/time.ts";
import { CountBar } from "../ui/CountBar/CountBar.tsx";
import { type Column, Table } from "../ui/Table/Table.tsx";
import { useNow } from "../ui/useNow.ts";
import styles from "./ActivityTable.module.css";

export interface ActivityTableProps<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The column that says who it is. */
  nameColumn: Column<Row>;
  /** The column before the last. */
  extraColumn?: Column<Row>;
  sort: ActorSort;
  /** Called with the key of a column that sorts. */
  onSort: (key: string) => void;
  timezone: string;
}

/** Who was active: how often, with bars on a common base, and when last. The rows are sorted by one of these, descending. */
export function ActivityTable<Row extends { eventCount: number; lastSeen: string }>({ nameColumn, extraColumn, sort, timezone, ...tableProps }: ActivityTableProps<Row>) {
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
      width: extraColumn ? "34%" : "46%",
      hideBelow: 900,
      render: ({ eventCount }) => <CountBar share={eventCount / maxCount} />,
    },
    ...(extraColumn ? [extraColumn] : []),
    {
      key: "lastSeen",
      label: "Last seen",
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
