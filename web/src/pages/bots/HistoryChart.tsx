import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Table2 } from "lucide-react";
import { useMemo, useState } from "react";
import { historiesQuery } from "../../api/bots.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { errorInWords } from "../../api/words.ts";
import { DataTableView } from "../../charts/DataTableView.tsx";
import type { Mark, TimeLine } from "../../charts/series.ts";
import { TimeSeries } from "../../charts/TimeSeries.tsx";
import { METRICS, type Metric, type TimeFrame, frameInWords, hasHours, metricInWords } from "../../core/bots.ts";
import { bucketLabel } from "../../core/time.ts";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import styles from "./HistoryChart.module.css";
import { historyLineOf } from "./historyLines.ts";

export interface HistoryChartProps {
  bots: readonly { id: string; name: string }[];
  metric: Metric;
  timeFrame: TimeFrame;
  marks?: readonly Mark[];
}

const METRIC_OPTIONS = METRICS.map((value) => ({ value, label: metricInWords(value) }));
const USUAL_TIME_FRAMES: readonly TimeFrame[] = ["1d", "7d", "30d", "90d", "1y", "alltime"];

/** A counter of one or more bots over time, with the pickers of the counter and the time frame; the address has both. */
export function HistoryChart({ bots, metric, timeFrame, marks }: HistoryChartProps) {
  const [isTableView, setIsTableView] = useState(false);
  const historyOptions = historiesQuery(bots.map(({ id }) => id), metric, timeFrame);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...historyOptions,
    placeholderData: placeholderFor(historyOptions.queryKey),
  });
  // What is left of another time frame keeps its own span until the answer comes.
  const spanFrame = isPlaceholderData ? "alltime" : timeFrame;
  const line = useMemo(() => data && historyLineOf(data, bots, spanFrame), [data, bots, spanFrame]);
  const navigate = useNavigate();
  const changeSearch = (changes: { metric?: Metric; timeFrame?: TimeFrame }) =>
    void navigate({ to: ".", search: (previous: object) => ({ ...previous, ...changes }), resetScroll: false });
  const timeFrames = USUAL_TIME_FRAMES.includes(timeFrame) ? USUAL_TIME_FRAMES : [...USUAL_TIME_FRAMES, timeFrame];
  const menuItems = [
    { label: isTableView ? "View as chart" : "View as table", icon: Table2, onSelect: () => setIsTableView(!isTableView) },
  ];
  return (
    <section className={styles.card} aria-label="History" aria-busy={isPlaceholderData || undefined}>
      <div className={styles.head}>
        <Segmented
          label="Counter"
          value={metric}
          onChange={(nextMetric) => changeSearch({ metric: nextMetric })}
          options={METRIC_OPTIONS}
          small
        />
        <span className={styles.frames}>
          <Segmented
            label="Time frame"
            value={timeFrame}
            onChange={(nextTimeFrame) => changeSearch({ timeFrame: nextTimeFrame })}
            options={timeFrames.map((value) => ({ value, label: frameInWords(value) }))}
            small
          />
          <Menu label="History menu" items={menuItems} />
        </span>
      </div>
      <div className={styles.body}>
        {error && !data ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : !line ? (
          <Skeleton height="100%" />
        ) : line.times.length === 0 ? (
          <p className={styles.none}>No data yet. The chart starts with the first posted counter or vote.</p>
        ) : (
          <HistoryView line={line} {...{ metric, timeFrame, marks, isTableView }} />
        )}
      </div>
    </section>
  );
}

interface HistoryViewProps extends Pick<HistoryChartProps, "metric" | "timeFrame"> {
  line: TimeLine;
  marks: readonly Mark[] | undefined;
  isTableView: boolean;
}

function HistoryView({ line, metric, timeFrame, marks, isTableView }: HistoryViewProps) {
  const interval = hasHours(timeFrame) ? "hour" : "day";
  const [onlySeries, ...otherSeries] = line.series;
  const chartLine = otherSeries.length === 0 && onlySeries ? { ...line, series: [{ ...onlySeries, name: metricInWords(metric), color: 1 }] } : line;
  if (isTableView) {
    return (
      <DataTableView
        label={metricInWords(metric)}
        columns={[{ label: interval === "hour" ? "Hour, UTC" : "Day", numeric: false }, ...chartLine.series.map(({ name }) => ({ label: name, numeric: true }))]}
        rows={chartLine.times.map((time, index) => [bucketLabel(time, interval, "UTC"), ...chartLine.series.map(({ values }) => values[index] ?? null)])}
      />
    );
  }
  return <TimeSeries title={metricInWords(metric)} line={chartLine} interval={interval} timezone="UTC" {...(marks ? { marks } : {})} />;
}
