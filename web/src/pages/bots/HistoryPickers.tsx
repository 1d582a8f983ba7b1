import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { METRICS, type Metric, type TimeFrame, frameInWords, metricInWords } from "../../core/bots.ts";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import styles from "./HistoryPickers.module.css";

export interface HistoryPickersProps {
  metric: Metric;
  timeFrame: TimeFrame;
  /** Beside the time frames. */
  children?: ReactNode;
  /** Behind both. */
  menu: ReactNode;
}

const METRIC_OPTIONS = METRICS.map((value) => ({ value, label: metricInWords(value) }));
const USUAL_TIME_FRAMES: readonly TimeFrame[] = ["1d", "7d", "30d", "90d", "1y", "alltime"];

/** The pickers of the counter and of the time frame of a history; the address has both. */
export function HistoryPickers({ metric, timeFrame, children, menu }: HistoryPickersProps) {
  const navigate = useNavigate();
  const changeSearch = (changes: { metric?: Metric; timeFrame?: TimeFrame }) =>
    void navigate({ to: ".", search: (previous: object) => ({ ...previous, ...changes }), resetScroll: false });
  const timeFrames = USUAL_TIME_FRAMES.includes(timeFrame) ? USUAL_TIME_FRAMES : [...USUAL_TIME_FRAMES, timeFrame];
  return (
    <div className={styles.head}>
      <Segmented label="Counter" value={metric} onChange={(nextMetric) => changeSearch({ metric: nextMetric })} options={METRIC_OPTIONS} small />
      <span className={styles.right}>
        <span className={styles.row}>
          <Segmented
            label="Time frame"
            value={timeFrame}
            onChange={(nextTimeFrame) => changeSearch({ timeFrame: nextTimeFrame })}
            options={timeFrames.map((value) => ({ value, label: frameInWords(value) }))}
            small
          />
          {children}
        </span>
        {menu}
      </span>
    </div>
  );
}
