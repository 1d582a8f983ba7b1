import { useQuery } from "@tanstack/react-query";
import { Delta } from "../../../charts/Delta.tsx";
import { changeOf } from "../../../core/changes.ts";
import { formatExact } from "../../../core/numbers.ts";
import { Card } from "../../../ui/Card/Card.tsx";
import type { ColoredBot } from "../historyLines.ts";
import { keptHistoriesQuery } from "./keptHistories.ts";
import { SkeletonRows } from "./SkeletonRows.tsx";
import styles from "./WeekVotesCard.module.css";
import { weekVotesOf } from "./weekVotes.ts";

/** In px. */
const ROW_HEIGHT = 28;

/** The votes of the last seven days of each bot, and how they changed from the seven before. */
export function WeekVotesCard({ bots, botCount }: { bots: readonly ColoredBot[] | undefined; botCount: number }) {
  const { data: voteHistories } = useQuery(keptHistoriesQuery(bots?.map(({ id }) => id) ?? [], "total_votes", "30d"));
  return (
    <Card title="Votes of the last 7 days">
      {bots && voteHistories ? (
        <WeekRows rows={bots.map((bot) => ({ ...bot, ...weekVotesOf(voteHistories, bot.id) }))} />
      ) : (
        <SkeletonRows count={botCount} height={ROW_HEIGHT} />
      )}
    </Card>
  );
}

type WeekRow = ColoredBot & ReturnType<typeof weekVotesOf>;

function WeekRows({ rows }: { rows: readonly WeekRow[] }) {
  const highestCount = Math.max(1, ...rows.map(({ count }) => count ?? 0));
  return (
    <ul className={styles.rows}>
      {rows.map(({ id, name, color, count, previousCount }) => {
        const change = changeOf(count, previousCount);
        return (
          <li key={id}>
            <span className={styles.bar}>
              {count === null ? null : <i style={{ width: `${(count / highestCount) * 100}%`, color: `var(--s${color})` }} />}
              <span>{name}</span>
            </span>
            <b title={count === null ? "Not known for 7 days" : undefined}>{formatExact(count)}</b>
            <span className={styles.change}>{change ? <Delta change={change} good="up" /> : null}</span>
          </li>
        );
      })}
    </ul>
  );
}
