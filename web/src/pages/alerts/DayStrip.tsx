import { useMemo } from "react";
import type { BackTest } from "../../api/alerts.ts";
import { formatDurationMs } from "../../core/durations.ts";
import { formatExact } from "../../core/numbers.ts";
import { Card } from "../../ui/Card/Card.tsx";
import styles from "./BackTest.module.css";
import { type StripDay, totalFiringMs, stripInWords, stripDaysOf } from "./stripDays.ts";

const DAY_COUNT = 30;

/** The past 30 days as cells, each with the number of incidents that began on it, and how long it would have fired. */
export function DayStrip({ answer, timezone }: { answer: BackTest; timezone: string }) {
  const days = useMemo(() => stripDaysOf(answer, timezone), [answer, timezone]);
  const { fired: firedCount, incidents } = answer;
  const countNote = firedCount > incidents.length ? `the first ${formatExact(incidents.length)} of ${formatExact(firedCount)} incidents` : "number of incidents";
  return (
    <Card
      title="Day by day"
      note={countNote}
      tools={firedCount === 0 ? null : <span className={styles.total}>{formatDurationMs(totalFiringMs(answer))} in total</span>}
    >
      <div className={styles.strip} role="img" aria-label={stripInWords(days)}>
        {days.map((day) => (
          <span key={day.day} className={styles.day} title={dayTitle(day)} data-began={day.incidentCount > 0 || undefined} data-firing={day.isFiring || undefined}>
            {day.incidentCount > 0 ? day.incidentCount : null}
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

function dayTitle({ label, incidentCount, isFiring }: StripDay): string {
  if (incidentCount > 0) return `${label}: ${incidentCount} ${incidentCount === 1 ? "incident" : "incidents"}`;
  return isFiring ? `${label}: still firing` : label;
}

/** The place of the strip while it is on its way. */
export function DayStripSkeleton() {
  return (
    <Card title="Day by day">
      <div className={styles.strip}>
        {Array.from({ length: DAY_COUNT }, (_, index) => (
          <span key={index} className={styles.day} />
        ))}
      </div>
      <div className={styles.ends}>
        <span>&nbsp;</span>
      </div>
    </Card>
  );
}
