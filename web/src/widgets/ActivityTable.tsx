import { formatExact } from "../core/numbers.ts";
import { formatAgo, dateTime } from "../core/time.ts";
import { CountBar } from "../ui/CountBar/CountBar.tsx";
import { type Column, Table } from "../ui/Table/Table.tsx";
import { useNow } from "../ui/useNow.ts";
import styles from "./ActivityTable.module.css";

export interface ActivityTableProps<Row> {
  label: string;
  /** The busiest first. */
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The column that says who it is. */
  nameColumn: Column<Row>;
  /** The column before the last. */
  extraColumn?: Column<Row>;
  /** How much of the table the bars take. */
  barWidth: string;
  timezone: string;
}

/** Who was active: how often, with bars on a common base, and when last. */
export function ActivityTable<Row extends { eventCount: number; lastSeen: string }>({ nameColumn, extraColumn, barWidth, timezone, ...tableProps }: ActivityTableProps<Row>) {
  const now = useNow();
  const maxCount = tableProps.rows[0]?.eventCount ?? 1;
  const columns: Column<Row>[] = [
    nameColumn,
    { key: "events", label: "Events", align: "end", width: 96, render: ({ eventCount }) => <b className={styles.count}>{formatExact(eventCount)}</b> },
    {
      key: "bar",
      label: "Compared with the busiest",
      hideLabel: true,
      width: barWidth,
      hideBelow: 900,
      render: ({ eventCount }) => <CountBar share={eventCount / maxCount} />,
    },
    ...(extraColumn ? [extraColumn] : []),
    {
      key: "last",
      label: "Last seen",
      align: "end",
      render: ({ lastSeen }) => (
        <time className={styles.last} dateTime={lastSeen} title={dateTime(lastSeen, timezone)}>
          {formatAgo(lastSeen, now)}
        </time>
      ),
    },
  ];
  return <Table {...tableProps} columns={columns} />;
}
