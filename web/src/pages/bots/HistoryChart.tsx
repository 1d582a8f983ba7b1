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
const FRAMES: readonly TimeFrame[] = ["1d", "7d", "30d", "90d", "1y", "alltime"];

/** A counter of one or more bots over time, with the pickers of the counter and the time frame; the address has both. */
export function HistoryChart({ bots, metric, timeFrame, marks }: HistoryChartProps) {
  const [asTable, setAsTable] = useState(false);
  const question = historiesQuery(bots.map(({ id }) => id), metric, timeFrame);
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...question, placeholderData: placeholderFor(question.queryKey) });
  const line = useMemo(() => data && historyLineOf(data, bots), [data, bots]);
  const navigate = useNavigate();
  const change = (next: { metric?: Metric; timeFrame?: TimeFrame }) =>
    void navigate({ to: ".", search: (before: object) => ({ ...before, ...next }), resetScroll: false });
  const frames = FRAMES.includes(timeFrame) ? FRAMES : [...FRAMES, timeFrame];
  const items = [{ label: asTable ? "View as chart" : "View as table", icon: Table2, onSelect: () => setAsTable(!asTable) }];
  return (
    <section className={styles.card} aria-label="History" aria-busy={isPlaceholderData || undefined}>
      <div className={styles.head}>
        <Segmented label="Counter" value={metric} onChange={(next) => change({ metric: next })} options={METRIC_OPTIONS} small />
        <span className={styles.frames}>
          <Segmented
            label="Time frame"
            value={timeFrame}
            onChange={(next) => change({ timeFrame: next })}
            options={frames.map((value) => ({ value, label: frameInWords(value) }))}
            small
          />
          <Menu label="History menu" items={items} />
        </span>
      </div>
      <div className={styles.body}>
        {error && !data ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : !line ? (
          <Skeleton height="100%" />
        ) : line.times.length === 0 ? (
          <p className={styles.none}>No counters yet. The line begins with the first that is posted, or with the first vote.</p>
        ) : (
          <Drawn line={line} {...{ metric, timeFrame, marks, asTable }} />
        )}
      </div>
    </section>
  );
}

interface DrawnProps extends Pick<HistoryChartProps, "metric" | "timeFrame"> {
  line: TimeLine;
  marks: readonly Mark[] | undefined;
  asTable: boolean;
}

function Drawn({ line, metric, timeFrame, marks, asTable }: DrawnProps) {
  const interval = hasHours(timeFrame) ? "hour" : "day";
  const [only, ...rest] = line.series;
  const chartLine = rest.length === 0 && only ? { ...line, series: [{ ...only, name: metricInWords(metric) }] } : line;
  if (asTable) {
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
