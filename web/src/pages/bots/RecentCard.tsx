import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { counterOf } from "../../api/botCounters.ts";
import { type BotRecord, type RecentEntry, recentQuery } from "../../api/bots.ts";
import { errorInWords } from "../../api/words.ts";
import type { Metric } from "../../core/bots.ts";
import { formatExact } from "../../core/numbers.ts";
import { bucketLabel, formatClock, formatDate } from "../../core/time.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./RecentCard.module.css";
import { formatSigned } from "./words.ts";

type Interval = "hour" | "day";

const INTERVAL_OPTIONS: { value: Interval; label: string }[] = [
  { value: "hour", label: "By hour" },
  { value: "day", label: "By day" },
];
const FIRST_ENTRY_COUNT = 8;

/** The counters of the last hours or days, and what changed in each. */
export function RecentCard({ bot, interval }: { bot: BotRecord; interval: Interval }) {
  const { data, error, refetch } = useQuery(recentQuery(bot.id));
  const [isAllShown, setIsAllShown] = useState(false);
  const now = useNow();
  const navigate = useNavigate();
  const chooseInterval = (nextInterval: Interval) =>
    void navigate({ to: ".", search: (previous: object) => ({ ...previous, by: nextInterval }), resetScroll: false });
  const entries = interval === "hour" ? data?.hourlyData : data?.dailyData;
  return (
    <Card
      title="Recent"
      flush
      tools={<Segmented label="Recent" value={interval} onChange={chooseInterval} options={INTERVAL_OPTIONS} small />}
    >
      {error && !data ? (
        <div className={styles.pad}>
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        </div>
      ) : !entries ? (
        <Skeleton height={290} />
      ) : entries.length === 0 ? (
        <p className={styles.pad}>Nothing was reported in the last 30 {interval}s.</p>
      ) : (
        <>
          <Table label="Recent" bare dense rows={isAllShown ? entries : entries.slice(0, FIRST_ENTRY_COUNT)} rowKey={({ time }) => time} columns={columnsOf(interval, now, bot)} />
          {isAllShown || entries.length <= FIRST_ENTRY_COUNT ? null : (
            <div className={styles.foot}>
              <Button small variant="quiet" onClick={() => setIsAllShown(true)}>
                Show all {formatExact(entries.length)}
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  );
}

function columnsOf(interval: Interval, now: number, bot: BotRecord): Column<RecentEntry>[] {
  const isReported = (metric: Metric) => counterOf(bot, metric) !== null;
  const formatCount = (entry: RecentEntry, metric: Metric) => formatExact(isReported(metric) ? entry[metric] : null);
  const timeLabel = (time: string) =>
    interval === "day" ? bucketLabel(time, "day", "UTC") : formatDate(time, "UTC") === formatDate(now, "UTC") ? formatClock(time, "UTC").slice(0, 5) : bucketLabel(time, "hour", "UTC");
  return [
    { key: "time", label: interval === "hour" ? "Hour, UTC" : "Day, UTC", render: ({ time }) => <time className={styles.muted} dateTime={time}>{timeLabel(time)}</time> },
    { key: "votes", label: "Votes", align: "end", render: (entry) => <b className={styles.strong}>{isReported("total_votes") ? formatSigned(entry.total_votes_change) : formatExact(null)}</b> },
    { key: "total", label: "Total", align: "end", hideBelow: 600, render: (entry) => formatCount(entry, "total_votes") },
    {
      key: "servers",
      label: "Servers",
      align: "end",
      render: (entry) => (
        <>
          {formatCount(entry, "server_count")}{" "}
          {isReported("server_count") && <span className={styles.change}>{formatSigned(entry.server_count_change)}</span>}
        </>
      ),
    },
    { key: "reviews", label: "Reviews", align: "end", hideBelow: 600, render: (entry) => formatCount(entry, "review_count") },
  ];
}
