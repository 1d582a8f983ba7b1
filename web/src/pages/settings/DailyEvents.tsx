import { dayInWords, type Day } from "./dailyCounts.ts";
import { countInWords } from "../../core/numbers.ts";
import styles from "./DailyEvents.module.css";

/** How many events each day of the month has, as columns; days to come are empty. */
export function DailyEvents({ days, month }: { days: readonly Day[]; month: string }) {
  const maxCount = Math.max(1, ...days.map(({ count }) => count));
  const busiestDay = days.find(({ count }) => count === maxCount);
  const busiestText = busiestDay ? `, most on ${dayInWords(busiestDay.day, month)}: ${countInWords(maxCount, "event")}` : ", none yet";
  return (
    <div className={styles.days} role="img" aria-label={`Events per day in ${month}${busiestText}`}>
      {days.map(({ day, count }) => (
        <span key={day} className={styles.day} title={`${dayInWords(day, month)}: ${countInWords(count, "event")}`}>
          <i className={styles.column} style={{ height: `${(count / maxCount) * 100}%` }} data-some={count > 0 || undefined} />
        </span>
      ))}
    </div>
  );
}
