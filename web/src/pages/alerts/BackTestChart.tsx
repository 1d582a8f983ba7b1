import { useMemo, useState } from "react";
import type { AlertRule, BackTest } from "../../api/alerts.ts";
import { TimeSeries } from "../../charts/TimeSeries.tsx";
import { formatExact } from "../../core/numbers.ts";
import { useMatches } from "../../ui/useMatches.ts";
import styles from "./BackTest.module.css";
import { type Extreme, thinPoints } from "./hours.ts";
import { LimitHandle } from "./LimitHandle.tsx";
import { isLimitCondition } from "./recount.ts";
import { firesInWords, lineOf, marksOf } from "./stripDays.ts";

export interface BackTestChartProps {
  answer: BackTest;
  rule: AlertRule;
  /** Which value of each hour the points are; null for the one at its end. */
  extreme: Extreme | null;
  /** What is measured, in words. */
  subject: string;
  timezone: string;
  /** Takes the limit that the handle is moved to; absent where it cannot be. */
  onLimit: ((limit: number) => void) | undefined;
}

/** On a phone a line of 720 hours would be a solid block. */
const PHONE_HOURS = 6;

/** The values of a back-test with their incidents, and the limit, which is a handle where it can be changed. */
export function BackTestChart({ answer, rule: { condition, threshold = null }, extreme, subject, timezone, onLimit }: BackTestChartProps) {
  const pointHours = useMatches("(max-width: 599px)") ? PHONE_HOURS : 1;
  const line = useMemo(() => {
    const points = extreme ? thinPoints(answer.points, extreme, pointHours) : answer.points;
    return lineOf({ points }, subject);
  }, [answer, extreme, pointHours, subject]);
  const marks = useMemo(() => marksOf(answer, timezone), [answer, timezone]);
  const isWhole = useMemo(() => answer.points.every(({ value }) => value === null || Number.isInteger(value)), [answer]);
  const limit = isLimitCondition(condition) ? threshold : null;
  // The axis stays as it is while the handle is dragged, or the line would run away from the pointer.
  const [dragStartLimit, setDragStartLimit] = useState<number | null>(null);
  const axisLimit = dragStartLimit ?? limit;
  const hasHandle = onLimit !== undefined;
  const thresholds = useMemo(
    () => (axisLimit === null ? [] : [{ value: axisLimit, label: hasHandle ? "" : formatExact(axisLimit), kind: "limit" as const }]),
    [axisLimit, hasHandle],
  );
  return (
    <>
      <TimeSeries
        title="Back-test"
        line={line}
        interval="hour"
        timezone={timezone}
        hasLegend={false}
        axis="zero"
        thresholds={thresholds}
        marks={marks}
        overlay={(plot) =>
          onLimit && limit !== null ? (
            <LimitHandle
              plot={plot}
              limit={limit}
              isWhole={isWhole}
              words={firesInWords(answer.fired)}
              onChange={onLimit}
              onDrag={(isDragged) => setDragStartLimit(isDragged ? limit : null)}
            />
          ) : null
        }
      />
      <p className={styles.caption}>{captionOf(extreme, pointHours)}</p>
    </>
  );
}

/** Say which values the line has. */
function captionOf(extreme: Extreme | null, pointHours: number): string {
  if (!extreme) return "The value at the end of each hour";
  return `The ${extreme} value of ${pointHours === 1 ? "each hour" : `every ${pointHours} hours`}`;
}
