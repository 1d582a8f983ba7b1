import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { GitCompareArrows } from "lucide-react";
import { useMemo } from "react";
import { annotationsQuery } from "../../api/annotations.ts";
import { type BotRecord, botQuery } from "../../api/bots.ts";
import { formatAgo, dateTime } from "../../core/time.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { useNow } from "../../ui/useNow.ts";
import { marksOf } from "../../widgets/metricShapes.ts";
import { BotHead } from "./BotHead.tsx";
import styles from "./BotPage.module.css";
import { BotStats } from "./BotStats.tsx";
import { HistoryChart } from "./HistoryChart.tsx";
import { NotListed } from "./NotListed.tsx";
import { PictureCard } from "./PictureCard.tsx";
import { RecentCard } from "./RecentCard.tsx";
import { VotersCard } from "./VotersCard.tsx";

const route = getRouteApi("/member/bots/$botId");

/** One bot: who makes it, its numbers and how they change, its history, and who votes for it. */
export function BotPage() {
  const { botId } = route.useParams();
  const { data: bot, error, refetch } = useQuery(botQuery(botId));
  return (
    <Page title={bot?.name ?? botId} crumbs={<Link to="/bots">Rankings</Link>} tools={error && !bot ? null : <BotTools botId={botId} reportedAt={bot?.timestamp} />}>
      {bot ? <BotProfile bot={bot} /> : error ? <NotListed error={error} onRetry={() => void refetch()} /> : <Skeleton height={640} />}
    </Page>
  );
}

function BotTools({ botId, reportedAt }: { botId: string; reportedAt: string | undefined }) {
  const now = useNow();
  return (
    <>
      {reportedAt === undefined ? null : (
        <time className={styles.fed} dateTime={reportedAt} title={dateTime(reportedAt, "UTC")}>
          reported {formatAgo(reportedAt, now)}
        </time>
      )}
      <Link to="/bots/compare" search={{ ids: botId }} className={buttonClass()}>
        <GitCompareArrows size={16} strokeWidth={1.6} aria-hidden="true" />
        Compare
      </Link>
    </>
  );
}

function BotProfile({ bot }: { bot: BotRecord }) {
  const { metric = "monthly_votes", timeFrame = "90d", by: interval = "hour" as const, offset } = route.useSearch();
  const { data: annotations } = useQuery(annotationsQuery("production"));
  const { id } = bot;
  const marks = useMemo(() => marksOf(annotations ?? []), [annotations]);
  return (
    <>
      <BotHead bot={bot} />
      <BotStats bot={bot} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <HistoryChart botId={id} metric={metric} timeFrame={timeFrame} marks={marks} />
          <RecentCard bot={bot} interval={interval} />
        </div>
        <aside className={styles.column} aria-label="Picture and voters">
          <PictureCard bot={bot} metric={metric} timeFrame={timeFrame} />
          <VotersCard botId={id} offset={Number(offset ?? 0)} /> {/* last: its height is not known before its answer */}
        </aside>
      </div>
    </>
  );
}
