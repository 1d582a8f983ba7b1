import { dayInWords, type Day } from "./daily.ts";
import { counted } from "../../core/numbers.ts";
import styles from "./DailyEvents.module.css";

/** How many events each day of the month has, as columns; days to come are empty. */
export function DailyEvents({ days, month }: { days: readonly Day[]; month: string }) {
  const most = Math.max(1, ...days.map(({ count }) => count));
  const busiest = days.find(({ count }) => count === most);
  const words = busiest ? `, most on ${dayInWords(busiest.day, month)}: ${counted(most, "event")}` : ", none yet";
  return (
    <div className={styles.days} role="img" aria-label={`Events of each day of ${month}${words}`}>
      {days.map(({ day, count }) => (
        <span key={day} className={styles.day} title={`${dayInWords(day, month)}: ${counted(count, "event")}`}>
          <i className={styles.column} style={{ height: `${(count / most) * 100}%` }} data-some={count > 0 || undefined} />
        </span>
      ))}
    </div>
  );
}
