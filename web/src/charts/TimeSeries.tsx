import { Suspense, useCallback, useId, useMemo, useState, type ReactNode } from "react";
import { formatAlone } from "../core/numbers.ts";
import { bucketName, type Interval } from "../core/time.ts";
import { lazily } from "../ui/lazily.ts";
import { Axes } from "./Axes.tsx";
import { seriesColor, seriesDashes } from "./colors.ts";
import { Cursor } from "./Cursor.tsx";
import { EndLabels, END_LABELS_FROM } from "./EndLabels.tsx";
import { Legend } from "./Legend.tsx";
import { type Plot, plotOf, type PlotOptions } from "./plot.ts";
import type { Mark, TimeLine } from "./series.ts";
import { PartialMarks } from "./PartialMarks.tsx";
import { SeriesMarks } from "./SeriesMarks.tsx";
import { summaryOf } from "./summary.ts";
import { Thresholds, type Threshold } from "./Thresholds.tsx";
import styles from "./TimeSeries.module.css";
import type { BucketSpan } from "./useBrush.ts";
import { useSize } from "./useSize.ts";

/** Most charts have none. */
const Annotations = lazily(() => import("./Annotations.tsx"), "Annotations");

export interface TimeSeriesProps {
  /** What assistive technology calls the chart. */
  title: string;
  line: TimeLine;
  interval: Interval;
  /** The zone (IANA) whose days and hours the axis shows. */
  timezone: string;
  shape?: "line" | "area" | "bar";
  isStacked?: boolean;
  axis?: "zero" | "fit" | null;
  hasLegend?: boolean;
  /** Write a value; without it, whole numbers are written out. */
  format?: (value: number | null) => string;
  /** Which direction of change is good. */
  good?: "up" | "down" | "none" | null | undefined;
  /** The other window in the legend, such as "Previous 30 days". */
  comparedName?: string | undefined;
  thresholds?: readonly Threshold[];
  marks?: readonly Mark[];
  /** Ask who is behind a value: its bucket, and its series if there are several. */
  onPoint?: ((bucket: number, series: number | null) => void) | undefined;
  /** The bucket of the value that is open elsewhere on the page; absent for none. */
  openBucket?: number | undefined;
  /** Begin an annotation at a moment, in milliseconds since 1970. */
  onAnnotate?: ((time: number) => void) | undefined;
  /** Draw something above the chart, such as a handle. */
  overlay?: (plot: Plot) => ReactNode;
  /** Choose the time from the first to the last of some buckets. */
  onSelect?: ((span: BucketSpan) => void) | undefined;
}

/** In px, so that a bucket of a long line is visible. */
const MIN_FRAME_WIDTH = 8;
const NO_MARKS: readonly Mark[] = [];
const NO_THRESHOLDS: readonly Threshold[] = [];

/** A chart over time: lines, areas or stacked bars, with a legend, annotations and a cursor for mouse and keys. */
export function TimeSeries(props: TimeSeriesProps): ReactNode {
  const { title, line, interval, timezone, format = formatAlone, hasLegend = true, thresholds = NO_THRESHOLDS, marks = NO_MARKS } = props;
  const [hiddenPositions, setHiddenPositions] = useState<ReadonlySet<number>>(new Set());
  const [plotRef, size] = useSize<HTMLDivElement>();
  const summaryId = useId();
  const positions = useMemo(
    () => line.series.map((_, index) => index).filter((position) => !hiddenPositions.has(position)),
    [line, hiddenPositions],
  );
  const visibleLine = useMemo(() => ({ ...line, series: line.series.filter((_, index) => !hiddenPositions.has(index)) }), [line, hiddenPositions]);
  const { shape = "line", isStacked = true, axis = null } = props;
  const plot = useMemo(() => {
    const options: PlotOptions = { shape, isStacked, axis, zone: timezone, reachedValues: thresholds.map(({ value }) => value) };
    return size ? plotOf(visibleLine, options, size.width, size.height) : null;
  }, [visibleLine, shape, isStacked, axis, timezone, thresholds, size]);
  const nameOfTime = useCallback((time: number): string => bucketName(time, interval, timezone), [interval, timezone]);
  const summaryText = useMemo(() => summaryOf(line, nameOfTime), [line, nameOfTime]);
  const toggleSeries = (position: number): void => setHiddenPositions((hidden) => toggleHidden(hidden, position, line.series.length));
  const hasEndLabels = shape === "line" && line.series.length >= END_LABELS_FROM;

  return (
    <div className={styles.chart}>
      {hasLegend && <Legend entries={legendEntriesOf(line, shape, format)} hiddenPositions={hiddenPositions} onToggle={toggleSeries} compared={comparedEntryOf(props, format)} />}
      <div
        className={styles.plot}
        data-annotated={marks.length > 0 || undefined}
        data-end-labels={hasEndLabels || undefined}
        style={{ marginLeft: plot?.gutter ?? 34 }}
        ref={plotRef}
      >
        {plot && (
          <>
            <Axes plot={plot} />
            {props.openBucket !== undefined && <OpenBucket plot={plot} bucket={props.openBucket} />}
            <SeriesMarks plot={plot} line={visibleLine} shape={shape} seriesCount={line.series.length} />
            {line.partialBuckets?.size ? <PartialMarks plot={plot} line={visibleLine} shape={shape} /> : null}
            <Thresholds plot={plot} thresholds={thresholds} />
            {hasEndLabels && <EndLabels plot={plot} line={visibleLine} />}
            <Cursor {...props} format={format} plot={plot} line={visibleLine} positions={positions} nameOfTime={nameOfTime} label={title} describedBy={summaryId} />
            {props.overlay?.(plot)}
            {marks.length > 0 ? (
              <Suspense>
                <Annotations plot={plot} marks={marks} zone={timezone} />
              </Suspense>
            ) : null}
          </>
        )}
      </div>
      <p className={styles.summary} id={summaryId}>
        {summaryText}
      </p>
    </div>
  );
}

/** The frame around the bucket that is open. */
function OpenBucket({ plot, bucket }: { plot: Plot; bucket: number }): ReactNode {
  const width = Math.max(plot.bandWidth, MIN_FRAME_WIDTH);
  return <i className={styles.open} data-open style={{ left: plot.x(bucket) - width / 2, width }} />;
}

/** Hide or show one series; the last one that is shown stays. */
function toggleHidden(hidden: ReadonlySet<number>, position: number, seriesCount: number): ReadonlySet<number> {
  const nextHidden = new Set(hidden);
  if (!nextHidden.delete(position)) nextHidden.add(position);
  return nextHidden.size < seriesCount ? nextHidden : hidden;
}

function legendEntriesOf({ series }: TimeLine, shape: string, format: (value: number | null) => string) {
  return series.map(({ name, total, color }) => ({
    name,
    color: seriesColor(color),
    value: total === null ? "" : format(total),
    dashes: shape === "line" ? seriesDashes(color, series.length) : undefined,
  }));
}

function comparedEntryOf({ line, comparedName }: TimeSeriesProps, format: (value: number | null) => string) {
  if (!line.series.some(({ compared }) => compared)) return undefined;
  const [onlySeries, ...otherSeries] = line.series;
  const total = otherSeries.length === 0 ? (onlySeries?.comparedTotal ?? null) : null;
  return { name: comparedName ?? "Previous", value: total === null ? "" : format(total) };
}
