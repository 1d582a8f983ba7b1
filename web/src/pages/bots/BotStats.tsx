import { useQuery } from "@tanstack/react-query";
import { counterOf } from "../../api/botCounters.ts";
import { type BotRecord, recentQuery } from "../../api/bots.ts";
import { Delta } from "../../charts/Delta.tsx";
import { METRICS, type Metric, metricInWords } from "../../core/bots.ts";
import { changeOf } from "../../core/changes.ts";
import { NOT_REPORTED, formatExact } from "../../core/numbers.ts";
import { Facts } from "../../ui/Facts/Facts.tsx";
import styles from "./BotStats.module.css";
import { type Changes, changesOf } from "./counterChanges.ts";

/** The four counters of a bot, and how each changed in a day and in a month. */
export function BotStats({ bot }: { bot: BotRecord }) {
  const { data: recentCounts } = useQuery(recentQuery(bot.id));
  const facts = METRICS.map((metric) => {
    const count = counterOf(bot, metric);
    if (count === null) return { label: metricInWords(metric), value: "–", detail: NOT_REPORTED };
    const detail = recentCounts && <ChangeDeltas changes={preferredChanges(bot, metric, changesOf(recentCounts, metric))} />;
    return { label: metricInWords(metric), value: formatExact(count), detail };
  });
  return <Facts facts={facts} />;
}

/** Of monthly votes, the server itself tells the changes; 0 there may mean that nothing is known. */
function preferredChanges({ percentage_changes: { daily, monthly } }: BotRecord, metric: Metric, historyChanges: Changes): Changes {
  if (metric !== "monthly_votes") return historyChanges;
  return {
    day: daily === 0 ? historyChanges.day : changeOf(100 + daily, 100),
    month: monthly === 0 ? historyChanges.month : changeOf(100 + monthly, 100),
  };
}

function ChangeDeltas({ changes: { day, month } }: { changes: Changes }) {
  if (day === null && month === null) return "no earlier count";
  return (
    <span className={styles.changes}>
      {day === null ? null : (
        <span>
          <Delta change={day} good="up" /> day
        </span>
      )}
      {month === null ? null : (
        <span>
          <Delta change={month} good="up" /> month
        </span>
      )}
    </span>
  );
}
