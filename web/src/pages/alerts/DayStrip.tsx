import { useMemo } from "react";
import type { BackTest } from "../../api/alerts.ts";
import { duration } from "../../core/durations.ts";
import { formatExact } from "../../core/numbers.ts";
import { Card } from "../../ui/Card/Card.tsx";
import styles from "./BackTest.module.css";
import { type StripDay, firingMs, stripInWords, stripDaysOf } from "./stripDays.ts";

/** The past 30 days as cells, each with the number of incidents that began on it, and how long it would have fired. */
export function DayStrip({ answer, timezone }: { answer: BackTest; timezone: string }) {
  const days = useMemo(() => stripDaysOf(answer, timezone), [answer, timezone]);
  const { fired, incidents } = answer;
  const cut = fired > incidents.length ? `the first ${formatExact(incidents.length)} of ${formatExact(fired)} incidents` : "number of incidents";
  return (
    <Card
      title="Day by day"
      note={cut}
      tools={fired === 0 ? null : <span className={styles.total}>{duration(firingMs(answer))} in total</span>}
    >
      <div className={styles.strip} role="img" aria-label={stripInWords(days)}>
        {days.map((day) => (
          <span key={day.day} className={styles.day} title={titleOf(day)} data-began={day.incidents > 0 || undefined} data-firing={day.firing || undefined}>
            {day.incidents > 0 ? day.incidents : null}
          </span>
        ))}
      </div>
      <div className={styles.ends} aria-hidden="true">
        <span>{days[0]?.label.replace(/^.* and /, "")}</span>
        <span>{days[Math.floor(days.length / 2)]?.label}</span>
        <span>today</span>
      </div>
    </Card>
  );
}

function titleOf({ label, incidents, firing }: StripDay): string {
  if (incidents > 0) return `${label}: ${incidents} ${incidents === 1 ? "incident" : "incidents"}`;
  return firing ? `${label}: still firing` : label;
}
