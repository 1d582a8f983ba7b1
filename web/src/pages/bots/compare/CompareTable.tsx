import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { CSSProperties } from "react";
import type { Comparison, Histories } from "../../../api/botShapes.ts";
import { Delta } from "../../../charts/Delta.tsx";
import { METRICS, type TimeFrame } from "../../../core/bots.ts";
import { BotPicture } from "../../../ui/Badge/BotPicture.tsx";
import { Hidden } from "../../../ui/Hidden/Hidden.tsx";
import { growthPerDay } from "../historyLines.ts";
import styles from "./CompareTable.module.css";
import { type ComparedLine, type ComparedPast, bestIndexesOf, comparedLines } from "./comparison.ts";
import { keptHistoriesQuery } from "./keptHistories.ts";
import { momentInWords } from "./raceWords.ts";

export interface CompareTableProps {
  bots: readonly Comparison[];
  colors: ReadonlyMap<string, number>;
  timeFrame: TimeFrame;
  /** The moment that changes are counted from, in milliseconds since 1970; undefined while it is not known. */
  baseTime: number | undefined;
}

/** Bots side by side: each value, and how it changed; the best of each line is bold. */
export function CompareTable({ bots, colors, timeFrame, baseTime }: CompareTableProps) {
  const past = usePast(bots.map(({ id }) => id), timeFrame, baseTime);
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable
    <div className={styles.frame} role="group" aria-label="Comparison, scrollable" tabIndex={0}>
      <table className={styles.table} aria-label="Comparison" style={{ "--bots": bots.length } as CSSProperties}>
        <colgroup>
          <col className={styles.labels} />
          {bots.flatMap(({ id }) => [<col key={id} />, <col key={`${id} change`} className={styles.changes} />])}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{baseTime === undefined ? "Now" : `Now, and change since ${momentInWords(baseTime, timeFrame)}`}</th>
            {bots.map(({ id, name, avatar }) => (
              <th key={id} scope="colgroup" colSpan={2}>
                <Link to="/bots/$botId" params={{ botId: id }} className={styles.bot} title={name}>
                  <BotPicture id={id} address={avatar} size={20} lineColor={colors.get(id)} />
                  <span>{name}</span>
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparedLines(bots, past).map((line) => (
            <tr key={line.label}>
              <th scope="row">{line.label}</th>
              <ComparedCells line={line} botIds={bots.map(({ id }) => id)} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ComparedCells({ line, botIds }: { line: ComparedLine; botIds: readonly string[] }) {
  const bestIndexes = bestIndexesOf(line);
  return botIds.flatMap((id, index) => {
    const change = line.changes[index] ?? null;
    const isBest = bestIndexes.has(index);
    return [
      <td key={id} data-best={isBest || undefined} data-missing={line.values[index] === null || undefined}>
        {line.texts[index]}
        {isBest ? <Hidden> best</Hidden> : null}
      </td>,
      <td key={`${id} change`} className={styles.change} data-past={line.hasPast || undefined}>
        {change ? <Delta change={change} good={line.best === "most" ? "up" : "none"} /> : null}
      </td>,
    ];
  });
}

/** Ask for what the counters were at a moment, and for the votes of 30 days. */
function usePast(botIds: readonly string[], timeFrame: TimeFrame, baseTime: number | undefined): ComparedPast {
  const { data: voteHistories } = useQuery(keptHistoriesQuery(botIds, "total_votes", "30d"));
  const historyResults = useQueries({ queries: METRICS.map((metric) => keptHistoriesQuery(botIds, metric, timeFrame)) });
  return {
    votesPerDayById: voteHistories && new Map(botIds.map((id) => [id, growthPerDay(voteHistories, id)])),
    baseById: Object.fromEntries(METRICS.map((metric, index) => [metric, countersAt(historyResults[index]?.data, baseTime)])),
  };
}

function countersAt(histories: Histories | undefined, time: number | undefined): ReadonlyMap<string, number> {
  const entries = [...(histories ?? [])].flatMap(([id, points]) => {
    const point = points.find((candidate) => candidate.time === time);
    return point ? [[id, point.value] as const] : [];
  });
  return new Map(entries);
}
