import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type LeaderboardEntry, votersQuery } from "../../api/bots.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { errorInWords } from "../../api/words.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
import { Card } from "../../ui/Card/Card.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import { Pager } from "./Pager.tsx";
import styles from "./VotersCard.module.css";
import { briefId, nameOfVoter } from "./words.ts";

const ROWS_PER_PAGE = 10;

/** Who votes for a bot, by the weight of their votes, a page at a time. */
export function VotersCard({ botId, offset }: { botId: string; offset: number }) {
  const votersOptions = votersQuery(botId, offset, ROWS_PER_PAGE);
  const { data, error, refetch } = useQuery({ ...votersOptions, placeholderData: placeholderFor(votersOptions.queryKey) });
  return (
    <Card title="Voters" note="weekend votes count twice" flush>
      {error && !data ? (
        <div className={styles.pad}>
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        </div>
      ) : !data ? (
        <Skeleton height={380} />
      ) : data.total === 0 ? (
        <p className={styles.pad}>
          No votes yet. They come from a bot list's webhook or your own code. <Link to="/bots/feeding">Feed the listing</Link>
        </p>
      ) : (
        <>
          <Table label="Voters" bare rows={data.leaderboard} rowKey={({ userId }) => userId} columns={columnsOf(botId)} />
          <Pager isInCard offset={offset} rowCount={data.leaderboard.length} total={data.total} rowNoun="voter" pageSize={ROWS_PER_PAGE} />
        </>
      )}
    </Card>
  );
}

const columnsOf = (botId: string): Column<LeaderboardEntry>[] => [
  { key: "position", label: "Place", hideLabel: true, width: 36, render: ({ position }) => <span className={styles.muted}>{formatExact(Number(position))}</span> },
  {
    key: "voter",
    label: "Voter",
    render: ({ userId, user }) => (
      <Link to="/bots/$botId/votes/$userId" params={{ botId, userId }} className={styles.voter}>
        <span className={styles.name}>{nameOfVoter(userId, user.username)}</span>
        {user.username === userId ? null : <code className={styles.id}>{briefId(userId)}</code>}
      </Link>
    ),
  },
  {
    key: "weight",
    label: "Weight",
    align: "end",
    render: ({ totalVotesByWeight, voteCount }) => (
      <span className={styles.weight}>
        <b>{formatExact(totalVotesByWeight)}</b>
        <span>{countInWords(voteCount, "vote")}</span>
      </span>
    ),
  },
  { key: "streak", label: "Streak", align: "end", render: ({ streakCount }) => (streakCount > 0 ? `${formatExact(streakCount)} d` : <span className={styles.muted}>none</span>) },
];
