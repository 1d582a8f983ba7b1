import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type RecentEntry, recentQuery } from "../../api/bots.ts";
import { errorInWords } from "../../api/words.ts";
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

type By = "hour" | "day";

const BY: { value: By; label: string }[] = [
  { value: "hour", label: "By hour" },
  { value: "day", label: "By day" },
];
const FIRST = 8;

/** The counters of the last hours or days, and what changed in each. */
export function RecentCard({ id, by }: { id: string; by: By }) {
  const { data, error, refetch } = useQuery(recentQuery(id));
  const [all, setAll] = useState(false);
  const now = useNow();
  const navigate = useNavigate();
  const choose = (next: By) => void navigate({ to: ".", search: (before: object) => ({ ...before, by: next }), resetScroll: false });
  const entries = by === "hour" ? data?.hourlyData : data?.dailyData;
  return (
    <Card title="Recent" flush tools={<Segmented label="Recent" value={by} onChange={choose} options={BY} small />}>
      {error && !data ? (
        <div className={styles.pad}>
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        </div>
      ) : !entries ? (
        <Skeleton height={290} />
      ) : entries.length === 0 ? (
        <p className={styles.pad}>Nothing was reported in these {by === "hour" ? "30 hours" : "30 days"}.</p>
      ) : (
        <>
          <Table label="Recent" bare dense rows={all ? entries : entries.slice(0, FIRST)} rowKey={({ time }) => time} columns={columnsOf(by, now)} />
          {all || entries.length <= FIRST ? null : (
            <div className={styles.foot}>
              <Button small variant="quiet" onClick={() => setAll(true)}>
                Show all {formatExact(entries.length)}
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  );
}

function columnsOf(by: By, now: number): Column<RecentEntry>[] {
  const when = (time: string) =>
    by === "day" ? bucketLabel(time, "day", "UTC") : formatDate(time, "UTC") === formatDate(now, "UTC") ? formatClock(time, "UTC").slice(0, 5) : bucketLabel(time, "hour", "UTC");
  return [
    { key: "time", label: by === "hour" ? "Hour, UTC" : "Day, UTC", render: ({ time }) => <time className={styles.muted} dateTime={time}>{when(time)}</time> },
    { key: "votes", label: "Votes", align: "end", render: (entry) => <b className={styles.strong}>{formatSigned(entry.total_votes_change)}</b> },
    { key: "total", label: "Total", align: "end", hideBelow: 600, render: (entry) => formatExact(entry.total_votes) },
    {
      key: "servers",
      label: "Servers",
      align: "end",
      render: (entry) => (
        <>
          {formatExact(entry.server_count)} <span className={styles.change}>{formatSigned(entry.server_count_change)}</span>
        </>
      ),
    },
    { key: "reviews", label: "Reviews", align: "end", hideBelow: 600, render: (entry) => formatExact(entry.review_count) },
  ];
}
