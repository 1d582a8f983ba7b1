import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { botQuery, voterQuery } from "../../api/bots.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
import { formatAgo, dateTime } from "../../core/time.ts";
import { BotPicture } from "../../ui/Badge/BotPicture.tsx";
import { Facts } from "../../ui/Facts/Facts.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { useNow } from "../../ui/useNow.ts";
import { NotListed } from "./NotListed.tsx";
import { ordinal } from "./words.ts";
import styles from "./VoterPage.module.css";

const route = getRouteApi("/member/bots/$botId/votes/$userId");

/** One voter of a bot: their place, their votes, and since when they vote every day. */
export function VoterPage() {
  const { botId, userId } = route.useParams();
  const { data: bot } = useQuery(botQuery(botId));
  const { data, error, refetch } = useQuery(voterQuery(botId, userId));
  const now = useNow();
  const voter = data?.data;
  return (
    <Page
      title={voter?.user.username ?? userId}
      crumbs={
        <>
          <Link to="/bots">Rankings</Link>
          <Link to="/bots/$botId" params={{ botId }}>
            {bot?.name ?? botId}
          </Link>
        </>
      }
    >
      {voter ? (
        <>
          <div className={styles.head}>
            <BotPicture id={userId} address={voter.user.avatar} size={56} />
            <div className={styles.who}>
              <p className={styles.kind}>votes for {bot?.name ?? botId}</p>
              <p className={styles.name}>{voter.user.username}</p>
              <code className={styles.id}>{userId}</code>
            </div>
          </div>
          <Facts
            facts={[
              { label: "Place", value: ordinal(Number(voter.position)), detail: `of ${countInWords(Number(data.total), "voter")}` },
              { label: "Weight", value: formatExact(voter.totalVotesByWeight), detail: "weekend votes count twice" },
              { label: "Votes", value: formatExact(voter.voteCount), detail: <time dateTime={voter.lastVote} title={dateTime(voter.lastVote, "UTC")}>last {formatAgo(voter.lastVote, now)}</time> },
              { label: "Streak", value: formatExact(voter.streakCount), unit: voter.streakCount === 1 ? "day" : "days", detail: "in a row, up to the last vote" },
            ]}
          />
        </>
      ) : error ? (
        <NotListed error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={180} />
      )}
    </Page>
  );
}
