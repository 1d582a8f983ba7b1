import { useQuery } from "@tanstack/react-query";
import { type BotRecord, recentQuery } from "../../api/bots.ts";
import { Delta } from "../../charts/Delta.tsx";
import { METRICS, type Metric, metricInWords } from "../../core/bots.ts";
import { formatExact } from "../../core/numbers.ts";
import { Facts } from "../../ui/Facts/Facts.tsx";
import styles from "./BotStats.module.css";
import { type Changes, changesOf } from "./counterChanges.ts";

/** The four counters of a bot, and how each changed in a day and in a month. */
export function BotStats({ bot }: { bot: BotRecord }) {
  const { data: recent } = useQuery(recentQuery(bot.id));
  const facts = METRICS.map((metric) => ({
    label: metricInWords(metric),
    value: formatExact(bot[metric]),
    detail: recent && <Changed by={changes(bot, metric, changesOf(recent, metric))} />,
  }));
  return <Facts facts={facts} />;
}

/** Of monthly votes, the server itself tells the changes; 0 there may mean that nothing is known. */
function changes({ percentage_changes: { daily, monthly } }: BotRecord, metric: Metric, fromHistory: Changes): Changes {
  if (metric !== "monthly_votes") return fromHistory;
  return { day: daily === 0 ? fromHistory.day : daily / 100, month: monthly === 0 ? fromHistory.month : monthly / 100 };
}

function Changed({ by: { day, month } }: { by: Changes }) {
  if (day === null && month === null) return "no earlier count";
  return (
    <span className={styles.changes}>
      {day === null ? null : (
        <span>
          <Delta share={day} good="up" /> day
        </span>
      )}
      {month === null ? null : (
        <span>
          <Delta share={month} good="up" /> month
        </span>
      )}
    </span>
  );
}
