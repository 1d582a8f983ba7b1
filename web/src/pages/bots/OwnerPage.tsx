import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { counterOf } from "../../api/botCounters.ts";
import { type BotRecord, ownersBotsQuery } from "../../api/bots.ts";
import { type Metric, METRICS, metricInWords } from "../../core/bots.ts";
import { formatExact } from "../../core/numbers.ts";
import { CountBar } from "../../ui/CountBar/CountBar.tsx";
import { Facts } from "../../ui/Facts/Facts.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { TableSkeleton } from "../../ui/Table/TableSkeleton.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import { BotName } from "./BotName.tsx";
import { NotListed } from "./NotListed.tsx";
import styles from "./OwnerPage.module.css";
import { PersonHead } from "./PersonHead.tsx";
import { Pager } from "./Pager.tsx";
import { briefId, ordinal } from "./words.ts";

const route = getRouteApi("/member/bots/users/$userId");
const ROWS_PER_PAGE = 20;
/** In px: the facts, and a row. */
const FACTS_HEIGHT = 94;
const ROW_HEIGHT = 49;

/** The bots that name a user as an owner, by rank. */
export function OwnerPage() {
  const { userId } = route.useParams();
  const { data: bots, error, refetch } = useQuery(ownersBotsQuery(userId));
  return (
    <Page title={`Bots by ${briefId(userId)}`} crumbs={<Link to="/bots">Rankings</Link>}>
      {error && !bots ? (
        <NotListed error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <PersonHead id={userId} name={null} kind="Owner">
            Bots that were moved to a team may be missing.
          </PersonHead>
          {bots ? <OwnedBots bots={bots} /> : <OwnerSkeleton />}
        </>
      )}
    </Page>
  );
}

function OwnerSkeleton() {
  return (
    <div className={styles.column}>
      <Skeleton height={FACTS_HEIGHT} />
      <TableSkeleton rowCount={ROWS_PER_PAGE} rowHeight={ROW_HEIGHT} />
    </div>
  );
}

function OwnedBots({ bots }: { bots: readonly BotRecord[] }) {
  const { offset: offsetParam } = route.useSearch();
  const offset = Number(offsetParam ?? 0);
  const rows = bots.toSorted(byRank).slice(offset, offset + ROWS_PER_PAGE);
  const bestRank = Math.min(...bots.map(({ monthly_votes_rank: rank }) => rank || Infinity));
  return (
    <div className={styles.column}>
      <Facts
        facts={[
          { label: "Bots", value: formatExact(bots.length) },
          { label: "Best rank", value: ordinal(Number.isFinite(bestRank) ? bestRank : 0), detail: "by monthly votes" },
          { label: "Monthly votes", value: formatExact(sumOf(bots, "monthly_votes")), detail: "of all bots" },
          { label: "Servers", value: formatExact(sumOf(bots, "server_count")), detail: "of all bots" },
        ]}
      />
      <div>
        <Table label="Bots" columns={columnsOf(bots)} rows={rows} rowKey={({ id }) => id} />
        <Pager offset={offset} rowCount={rows.length} total={bots.length} rowNoun="bot" pageSize={ROWS_PER_PAGE} />
      </div>
    </div>
  );
}

/** Best first; bots without a rank are last. */
function byRank(left: BotRecord, right: BotRecord): number {
  return (left.monthly_votes_rank || Infinity) - (right.monthly_votes_rank || Infinity) || 0;
}

/** Return the sum of a counter over the bots that have reported it; null if none has. */
function sumOf(bots: readonly BotRecord[], metric: Metric): number | null {
  const counts = bots.map((bot) => counterOf(bot, metric)).filter((count) => count !== null);
  return counts.length === 0 ? null : counts.reduce((sum, count) => sum + count, 0);
}

/** Return the columns of an owner's bots, with bars beside their monthly votes. */
function columnsOf(bots: readonly BotRecord[]): Column<BotRecord>[] {
  const maxVotes = Math.max(1, ...bots.map((bot) => counterOf(bot, "monthly_votes") ?? 0));
  const barColumn: Column<BotRecord> = {
    key: "bar",
    label: "Compared with the most votes",
    hideLabel: true,
    width: "22%",
    hideBelow: 900,
    render: (bot) => <CountBar share={(counterOf(bot, "monthly_votes") ?? 0) / maxVotes} />,
  };
  return [...NAME_COLUMNS, ...METRICS.flatMap((metric) => (metric === "monthly_votes" ? [counterColumn(metric), barColumn] : [counterColumn(metric)]))];
}

const NAME_COLUMNS: Column<BotRecord>[] = [
  { key: "rank", label: "Rank", width: 72, render: ({ monthly_votes_rank }) => <b className={styles.rank}>{ordinal(monthly_votes_rank)}</b> },
  {
    key: "bot",
    label: "Bot",
    render: ({ id, name, avatar, tags }) => <BotName id={id} name={name} pictureAddress={avatar} noteText={tags.join(", ") || briefId(id)} />,
  },
];

const counterColumn = (metric: Metric): Column<BotRecord> => ({
  key: metric,
  label: metricInWords(metric),
  align: "end",
  ...(metric === "monthly_votes" ? {} : { hideBelow: 600 }),
  render: (bot) => formatExact(counterOf(bot, metric)),
});
