import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { counterOf } from "../../api/botCounters.ts";
import { type BotRecord, rankingsQuery } from "../../api/bots.ts";
import { NOT_REPORTED, countInWords, formatExact } from "../../core/numbers.ts";
import { formatDate } from "../../core/time.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { BotPicture } from "../../ui/Badge/BotPicture.tsx";
import styles from "./BotHead.module.css";
import { RankChange } from "./RankChange.tsx";
import { briefId, ordinal } from "./words.ts";

/** Who a bot is: picture, name, tags, owners and links, and its places in the rankings. */
export function BotHead({ bot }: { bot: BotRecord }) {
  return (
    <div className={styles.head}>
      <BotPicture id={bot.id} address={bot.avatar} size={56} />
      <div className={styles.who}>
        <p className={styles.name}>
          {bot.name} {bot.certified ? <Badge tone="accent">certified</Badge> : null} {bot.deleted ? <Badge tone="warn">deleted</Badge> : null}
        </p>
        <PartList parts={originParts(bot)} />
        {bot.short_desc ? <p className={styles.words}>{bot.short_desc}</p> : null}
        <PartList parts={linkParts(bot)} />
      </div>
      <RankFacts bot={bot} />
    </div>
  );
}

function originParts({ tags, owners, approved_at }: BotRecord): ReactNode[] {
  const ownerLinks = owners.map((owner, index) => (
    <Fragment key={owner}>
      {index === 0 ? "by " : index === owners.length - 1 ? " and " : ", "}
      <Link to="/bots/users/$userId" params={{ userId: owner }} title={`Bots by ${owner}`}>
        {briefId(owner)}
      </Link>
    </Fragment>
  ));
  return [
    ...tags.map((tag) => (
      <Link key={tag} to="/bots" search={{ q: tag }}>
        {tag}
      </Link>
    )),
    ...(ownerLinks.length > 0 ? [<span key="by">{ownerLinks}</span>] : []),
    `since ${formatDate(approved_at, "UTC")}`,
  ];
}

function linkParts({ id, lib, prefix, website }: BotRecord): ReactNode[] {
  const siteLink = website.startsWith("https://") ? (
    <a href={website} target="_blank" rel="noopener noreferrer nofollow">
      {website.slice("https://".length).replace(/\/$/, "")}
    </a>
  ) : (
    website
  );
  return [<code key="id">{id}</code>, lib, prefix && <span key="prefix">prefix <code>{prefix}</code></span>, siteLink].filter(Boolean);
}

function PartList({ parts }: { parts: readonly ReactNode[] }) {
  return (
    <ul className={styles.parts}>
      {parts.map((part, index) => (
        <li key={index}>{part}</li>
      ))}
    </ul>
  );
}

function RankFacts({ bot }: { bot: BotRecord }) {
  const rank = bot.monthly_votes_rank;
  // A record has no rank change; the bot's own row of the ranking has.
  const { data } = useQuery({ ...rankingsQuery("monthly_votes", false, Math.max(0, rank - 1), 1), enabled: rank > 0 });
  const rankingRow = data?.data.find(({ id }) => id === bot.id);
  return (
    <dl className={styles.places}>
      <div>
        <dt>By monthly votes</dt>
        <dd>
          <b>{ordinal(rank)}</b>{" "}
          {rankingRow?.monthly_votes_rank_change ? <RankChange change={rankingRow.monthly_votes_rank_change} /> : null}
        </dd>
      </div>
      <div>
        <dt>By servers</dt>
        <dd>
          <b>{ordinal(bot.server_count_rank)}</b>
        </dd>
      </div>
      <div>
        <dt>Rating</dt>
        <dd>
          <RatingInWords bot={bot} />
        </dd>
      </div>
    </dl>
  );
}

/** A bot's rating and its reviews; each may be unknown without the other. */
function RatingInWords({ bot }: { bot: BotRecord }): ReactNode {
  const [rating, reviewCount] = [counterOf(bot, "avg_review_rating"), counterOf(bot, "review_count")];
  if (reviewCount === 0) return "no reviews";
  if (rating === null) return reviewCount === null ? NOT_REPORTED : `${NOT_REPORTED}, ${countInWords(reviewCount, "review")}`;
  return (
    <>
      <b>{formatExact(rating, 1)}</b> of 5{reviewCount === null ? "" : `, ${countInWords(reviewCount, "review")}`}
    </>
  );
}
