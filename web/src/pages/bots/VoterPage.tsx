import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { botQuery, voterQuery } from "../../api/bots.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
import { formatAgo, dateTime } from "../../core/time.ts";
import { Facts } from "../../ui/Facts/Facts.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { useNow } from "../../ui/useNow.ts";
import { NotListed } from "./NotListed.tsx";
import { PersonHead } from "./PersonHead.tsx";
import { nameOfVoter, ordinal } from "./words.ts";

const route = getRouteApi("/member/bots/$botId/votes/$userId");
/** In px. */
const HEAD_HEIGHT = 64;
const FACTS_HEIGHT = 94;

/** One voter of a bot: their place, their votes, and since when they vote every day. */
export function VoterPage() {
  const { botId, userId } = route.useParams();
  const { data: bot } = useQuery(botQuery(botId));
  const { data, error, refetch } = useQuery(voterQuery(botId, userId));
  const now = useNow();
  const voter = data?.data;
  const botName = bot?.name ?? botId;
  return (
    <Page
      title={nameOfVoter(userId, voter?.user.username)}
      crumbs={
        <>
          <Link to="/bots">Rankings</Link>
          <Link to="/bots/$botId" params={{ botId }}>
            {botName}
          </Link>
        </>
      }
    >
      {voter ? (
        <>
          <PersonHead id={userId} name={voter.user.username === userId ? null : voter.user.username} pictureAddress={voter.user.avatar} kind="Voter">
            Votes for{" "}
            <Link to="/bots/$botId" params={{ botId }}>
              {botName}
            </Link>
            {voter.user.username === userId ? "; no vote came with a name" : ""}
          </PersonHead>
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
        <>
          <Skeleton height={HEAD_HEIGHT} width={320} />
          <Skeleton height={FACTS_HEIGHT} />
        </>
      )}
    </Page>
  );
}
