import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { counterOf } from "../../api/botCounters.ts";
import { type BotRecord, ownersBotsQuery } from "../../api/bots.ts";
import { type Metric, METRICS, metricInWords } from "../../core/bots.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import { BotName } from "./BotName.tsx";
import { NotListed } from "./NotListed.tsx";
import styles from "./OwnerPage.module.css";
import { ordinal } from "./words.ts";

const route = getRouteApi("/member/bots/users/$userId");

/** The bots that name a user as an owner. */
export function OwnerPage() {
  const { userId } = route.useParams();
  const { data: bots, error, refetch } = useQuery(ownersBotsQuery(userId));
  return (
    <Page title={`Bots by ${userId}`} crumbs={<Link to="/bots">Rankings</Link>}>
      {bots ? (
        <>
          <p className={styles.note}>
            {countInWords(bots.length, "bot names", "bots name")} this user as an owner. This may be inaccurate for bots moved to a team.
          </p>
          <Table label="Bots" columns={COLUMNS} rows={bots} rowKey={({ id }) => id} />
        </>
      ) : error ? (
        <NotListed error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={240} />
      )}
    </Page>
  );
}

const COLUMNS: Column<BotRecord>[] = [
  { key: "rank", label: "Rank", width: 72, render: ({ monthly_votes_rank }) => <b className={styles.rank}>{ordinal(monthly_votes_rank)}</b> },
  {
    key: "bot",
    label: "Bot",
    render: ({ id, name, avatar, tags }) => <BotName id={id} name={name} pictureAddress={avatar} noteText={tags.join(", ") || id} />,
  },
  ...METRICS.map((metric: Metric): Column<BotRecord> => ({
    key: metric,
    label: metricInWords(metric),
    align: "end",
    ...(metric === "monthly_votes" ? {} : { hideBelow: 900 }),
    render: (bot) => formatExact(counterOf(bot, metric)),
  })),
];
