import type { Comparison } from "../../../api/botShapes.ts";
import type { Metric } from "../../../core/bots.ts";
import styles from "./LeaderCard.module.css";
import { leaderWords } from "./leaderWords.ts";
import { SkeletonRows } from "./SkeletonRows.tsx";
import type { Race } from "./useRace.ts";

export interface LeaderCardProps {
  race: Race | undefined;
  bots: readonly Comparison[] | undefined;
  metric: Metric;
}

/** Who leads, whom it passed last, and where the pace of both leads. */
export function LeaderCard({ race, bots, metric }: LeaderCardProps) {
  return (
    <section className={styles.card} aria-label="Who leads">
      <p className={styles.kind}>Who leads</p>
      {race && bots ? <LeaderSentences race={race} bots={bots} metric={metric} /> : <SkeletonRows count={4} height={22} />}
    </section>
  );
}

function LeaderSentences({ race: { line, values }, bots, metric }: { race: Race; bots: readonly Comparison[]; metric: Metric }) {
  const words = leaderWords({
    names: line.series.map(({ name }) => name),
    times: line.times,
    lines: values,
    metric,
    restarting: bots.map(({ counter_source: source }) => metric === "monthly_votes" && source === "votes"),
  });
  if (!words) return <p className={styles.detail}>Nobody yet: fewer than two bots have data here.</p>;
  return (
    <>
      <p className={styles.title}>{words.title}</p>
      <p className={styles.detail}>{words.detail}</p>
    </>
  );
}
