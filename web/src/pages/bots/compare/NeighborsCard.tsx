import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type RankingEntry, rankingsQuery } from "../../../api/bots.ts";
import type { Comparison } from "../../../api/botShapes.ts";
import { counterOf } from "../../../api/botCounters.ts";
import { type Metric, MAX_COMPARED, metricInWords } from "../../../core/bots.ts";
import { formatExact } from "../../../core/numbers.ts";
import { BotPicture } from "../../../ui/Badge/BotPicture.tsx";
import { Button } from "../../../ui/Button/Button.tsx";
import { Card } from "../../../ui/Card/Card.tsx";
import { Hidden } from "../../../ui/Hidden/Hidden.tsx";
import { ordinal } from "../words.ts";
import styles from "./NeighborsCard.module.css";
import { NEIGHBOR_COUNT, type RankedMetric, nearestBots, pageAround, rankIn, rankedMetricOf } from "./neighbors.ts";
import { SkeletonRows } from "./SkeletonRows.tsx";

export interface NeighborsCardProps {
  /** The bot whose neighbors they are; undefined while it is on its way. */
  bot: Comparison | undefined;
  metric: Metric;
  botIds: readonly string[];
  onAdd: (id: string) => void;
}

/** In px. */
const ROW_HEIGHT = 32;

/** The bots nearest to one by rank, each to be added with one click. */
export function NeighborsCard({ bot, metric, botIds, onAdd }: NeighborsCardProps) {
  const rankedMetric = rankedMetricOf(metric);
  const rank = rankIn(bot, rankedMetric);
  const { offset, limit } = pageAround(rank ?? 1);
  const { data: ranking } = useQuery({ ...rankingsQuery(rankedMetric, false, offset, limit), enabled: rank !== null });
  const neighbors = rank === null || !ranking ? undefined : nearestBots(ranking.data, rankedMetric, rank, botIds);
  const isFull = botIds.length >= MAX_COMPARED;
  return (
    <Card title={bot ? `Closest to ${bot.name}` : "Closest by rank"} note={`by ${metricInWords(rankedMetric).toLowerCase()}`}>
      {bot && rank === null ? (
        <p className={styles.none}>This bot has no rank.</p>
      ) : isFull ? (
        <p className={styles.none}>{MAX_COMPARED} bots are compared. Remove one to add another.</p>
      ) : !neighbors ? (
        <SkeletonRows count={NEIGHBOR_COUNT} height={ROW_HEIGHT} />
      ) : neighbors.length === 0 ? (
        <p className={styles.none}>All bots of the listing are compared.</p>
      ) : (
        <ul className={styles.rows}>
          {neighbors.map((neighbor) => (
            <li key={neighbor.id}>
              <Neighbor neighbor={neighbor} metric={rankedMetric} onAdd={onAdd} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Neighbor({ neighbor, metric, onAdd }: { neighbor: RankingEntry; metric: RankedMetric; onAdd: (id: string) => void }) {
  const { id, name } = neighbor;
  return (
    <>
      <span className={styles.rank}>{ordinal(neighbor[`${metric}_rank`])}</span>
      <BotPicture id={id} size={22} />
      <Link to="/bots/$botId" params={{ botId: id }} className={styles.name} title={name}>
        {name}
      </Link>
      <span className={styles.count}>{formatExact(counterOf(neighbor, metric))}</span>
      <Button small onClick={() => onAdd(id)}>
        Add<Hidden> {name}</Hidden>
      </Button>
    </>
  );
}
