import type { ActorSort } from "../api/activityLists.ts";
import { formatExact } from "../core/numbers.ts";
import { formatAgo, dateTime } from "../core/time.ts";
import { CountBar } from "../ui/CountBar/CountBar.tsx";
import { type Column, Table } from "../ui/Table/Table.tsx";
import { useNow } from "../ui/useNow.ts";
import styles from "./ActivityTable.module.css";
import { lastSeenHead } from "./seenHeads.ts";
import { TrendBars } from "./TrendBars.tsx";
import type { Trend, TrendedEvents } from "./trends.ts";
import { useTrends } from "./useTrends.ts";

export interface ActivityTableProps<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The column that says who it is. */
  nameColumn: Column<Row>;
  /** The column before the last. */
  extraColumn: Column<Row>;
  /** The events that the rows count. */
  events: TrendedEvents;
  sort: ActorSort;
  /** Called with the key of a column that sorts. */
  onSort: (key: string) => void;
  timezone: string;
}

/** The bar has 80 px, and only from 1300 px of the window on the room that names and trends leave. */
const BAR_WIDTH = "clamp(104px, 100vw - 1196px, 26vw)";
const TREND_WIDTH = 168;

/** Who was active: how often, with bars on a common base, when in the time range, and when last. The rows are sorted by one of these, descending. */
export function ActivityTable<Row extends { eventCount: number; lastSeen: string }>({ nameColumn, extraColumn, events, sort, timezone, ...tableProps }: ActivityTableProps<Row>) {
  const { rows, rowKey } = tableProps;
  const now = useNow();
  const trends = useTrends(events, rows.map(rowKey));
  const maxCount = Math.max(1, ...rows.map(({ eventCount }) => eventCount));
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
      width: BAR_WIDTH,
      hideBelow: 600,
      render: ({ eventCount }) => <CountBar share={eventCount / maxCount} />,
    },
    {
      key: "trend",
      label: "Trend",
      width: TREND_WIDTH,
      hideBelow: 1200,
      render: (row) => <div className={styles.trend}>{renderTrend(trends.get(rowKey(row)))}</div>,
    },
    extraColumn,
    {
      key: "lastSeen",
      label: lastSeenHead(events.timeRange),
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

const renderTrend = (trend: Trend | undefined) => (trend ? <TrendBars {...trend} /> : null);
