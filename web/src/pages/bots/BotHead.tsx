import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { type BotRecord, rankingsQuery } from "../../api/bots.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
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
        <Parts of={origin(bot)} />
        {bot.short_desc ? <p className={styles.words}>{bot.short_desc}</p> : null}
        <Parts of={links(bot)} />
      </div>
      <Places bot={bot} />
    </div>
  );
}

function origin({ tags, owners, approved_at }: BotRecord): ReactNode[] {
  const makers = owners.map((owner, index) => (
    <Fragment key={owner}>
      {index === 0 ? "by " : index === owners.length - 1 ? " and " : ", "}
      <Link to="/bots/users/$userId" params={{ userId: owner }} title={`Bots of ${owner}`}>
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
    ...(makers.length > 0 ? [<span key="by">{makers}</span>] : []),
    `since ${formatDate(approved_at, "UTC")}`,
  ];
}

function links({ id, lib, prefix, website }: BotRecord): ReactNode[] {
  const site = website.startsWith("https://") ? (
    <a href={website} target="_blank" rel="noopener noreferrer nofollow">
      {website.slice("https://".length).replace(/\/$/, "")}
    </a>
  ) : (
    website
  );
  return [<code key="id">{id}</code>, lib, prefix && <span key="prefix">prefix <code>{prefix}</code></span>, site].filter(Boolean);
}

function Parts({ of }: { of: readonly ReactNode[] }) {
  return (
    <ul className={styles.parts}>
      {of.map((part, index) => (
        <li key={index}>{part}</li>
      ))}
    </ul>
  );
}

function Places({ bot }: { bot: BotRecord }) {
  const rank = bot.monthly_votes_rank;
  // A record has no rank change; the bot's own row of the ranking has.
  const { data } = useQuery({ ...rankingsQuery("monthly_votes", false, Math.max(0, rank - 1), 1), enabled: rank > 0 });
  const row = data?.data.find(({ id }) => id === bot.id);
  return (
    <dl className={styles.places}>
      <div>
        <dt>By monthly votes</dt>
        <dd>
          <b>{ordinal(rank)}</b> {row?.monthly_votes_rank_change ? <RankChange change={row.monthly_votes_rank_change} /> : null}
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
          {bot.review_count > 0 ? (
            <>
              <b>{formatExact(bot.avg_review_rating, 1)}</b> of 5, {countInWords(bot.review_count, "review")}
            </>
          ) : (
            "no reviews"
          )}
        </dd>
      </div>
    </dl>
  );
}
