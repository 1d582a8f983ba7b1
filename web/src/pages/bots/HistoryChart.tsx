import { useQuery } from "@tanstack/react-query";
import { Table2 } from "lucide-react";
import { useMemo, useState } from "react";
import { historiesQuery } from "../../api/bots.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { errorInWords } from "../../api/words.ts";
import type { Mark, TimeLine } from "../../charts/series.ts";
import { TimeSeries } from "../../charts/TimeSeries.tsx";
import { type Metric, type TimeFrame, hasHours, metricInWords } from "../../core/bots.ts";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import styles from "./HistoryChart.module.css";
import { historyLineOf } from "./historyLines.ts";
import { HistoryPickers } from "./HistoryPickers.tsx";
import { HistoryTable } from "./HistoryTable.tsx";

export interface HistoryChartProps {
  botId: string;
  metric: Metric;
  timeFrame: TimeFrame;
  marks: readonly Mark[];
}

/** A counter of a bot over time. */
export function HistoryChart({ botId, metric, timeFrame, marks }: HistoryChartProps) {
  const [isTableView, setIsTableView] = useState(false);
  const historyOptions = historiesQuery([botId], metric, timeFrame);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...historyOptions,
    placeholderData: placeholderFor(historyOptions.queryKey),
  });
  // What is left of another time frame keeps its own span until the answer comes.
  const spanFrame = isPlaceholderData ? "alltime" : timeFrame;
  const line = useMemo(
    () => data && historyLineOf(data, [{ id: botId, name: metricInWords(metric), color: 1 }], spanFrame),
    [data, botId, metric, spanFrame],
  );
  const menuItems = [
    { label: isTableView ? "View as chart" : "View as table", icon: Table2, onSelect: () => setIsTableView(!isTableView) },
  ];
  return (
    <section className={styles.card} aria-label="History" aria-busy={isPlaceholderData || undefined}>
      <HistoryPickers metric={metric} timeFrame={timeFrame} menu={<Menu label="History menu" items={menuItems} />} />
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

interface HistoryViewProps extends Pick<HistoryChartProps, "metric" | "timeFrame" | "marks"> {
  line: TimeLine;
  isTableView: boolean;
}

function HistoryView({ line, metric, timeFrame, marks, isTableView }: HistoryViewProps) {
  const interval = hasHours(timeFrame) ? "hour" : "day";
  if (isTableView) return <HistoryTable label={metricInWords(metric)} line={line} interval={interval} />;
  return <TimeSeries title={metricInWords(metric)} line={line} interval={interval} timezone="UTC" marks={marks} />;
}
