import { Suspense, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { announce } from "../ui/announce.ts";
import { lazily } from "../ui/lazily.ts";
import { AnnotateStrip } from "./AnnotateStrip.tsx";
import { seriesColor } from "./colors.ts";
import type { CursorProps } from "./cursorProps.ts";
import type { Plot } from "./plot.ts";
import { type TimeLine, partInWords } from "./series.ts";
import styles from "./Cursor.module.css";
import { type BucketSpan, useBrush } from "./useBrush.ts";
import { useTaps } from "./useTaps.ts";

/** Nobody sees it before the cursor stands somewhere. */
const Tooltip = lazily(() => import("./Tooltip.tsx"), "Tooltip");

const FAR_STEP = 10;

/** The surface of a chart: a cursor that follows the mouse and the arrow keys, and the values where it stands. */
export function Cursor(props: CursorProps): ReactNode {
  const { plot, line, positions, label, describedBy, format, nameOfTime, onPoint, onAnnotate, onSelect } = props;
  const [pointedBucket, setPointedBucket] = useState<number | null>(null);
  const [activeSeries, setActiveSeries] = useState<number | null>(null);
  const brush = useBrush((event) => plot.nearestBucket(placeOfPointer(event).x), onSelect);
  const taps = useTaps();
  const lastBucket = line.times.length - 1;
  const bucket = pointedBucket === null ? null : Math.min(pointedBucket, lastBucket);

  /** Whether keys have moved the cursor; Escape is then for it. */
  const isAtKeys = useRef(false);
  const moveByKeys = (target: number): number => {
    const nextBucket = Math.min(Math.max(target, 0), lastBucket);
    isAtKeys.current = true;
    setPointedBucket(nextBucket);
    return nextBucket;
  };
  const moveTo = (target: number): void => {
    const nextBucket = moveByKeys(target);
    brush.clear();
    announce(describeBucket(props, nextBucket));
  };
  const extendTo = (target: number): void => {
    const nextBucket = moveByKeys(target);
    brush.extend(bucket ?? nextBucket, nextBucket);
    announce(`To ${nameOfTime(line.times[nextBucket] ?? 0)} selected`);
  };
  const applySelection = (span: BucketSpan): void => {
    brush.clear();
    setPointedBucket(null);
    onSelect?.(span);
  };
  const selectPoint = (position: number, series: number | null): void => {
    const seriesIndex = line.series.length > 1 ? (series ?? greatestSeriesAt(line, position)) : null;
    onPoint?.(position, seriesIndex === null ? null : (positions[seriesIndex] ?? seriesIndex));
  };
  const chooseSeries = (step: number): void => {
    if (bucket === null || line.series.length < 2) return;
    const nextSeries = ((activeSeries ?? (step > 0 ? -1 : 0)) + step + line.series.length) % line.series.length;
    setActiveSeries(nextSeries);
    const series = line.series[nextSeries];
    if (series) announce(`${series.name} ${format(series.values[bucket] ?? null)}`);
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const stepTo = event.shiftKey && onSelect ? extendTo : moveTo;
    const { span } = brush;
    const actions: Partial<Record<string, () => void>> = {
      ArrowLeft: () => stepTo((bucket ?? lastBucket + 1) - 1),
      ArrowRight: () => stepTo((bucket ?? -1) + 1),
      PageUp: () => stepTo((bucket ?? lastBucket + 1) - FAR_STEP),
      PageDown: () => stepTo((bucket ?? -1) + FAR_STEP),
      ArrowUp: () => chooseSeries(-1),
      ArrowDown: () => chooseSeries(1),
      Home: () => stepTo(0),
      End: () => stepTo(lastBucket),
      ...(isAtKeys.current && bucket !== null ? { Escape: () => setPointedBucket(null) } : {}),
      ...(span ? { Escape: brush.cancel } : {}),
      ...(onPoint && bucket !== null ? { Enter: () => selectPoint(bucket, activeSeries) } : {}),
      ...(span ? { Enter: () => applySelection(span) } : {}),
      ...(onAnnotate ? { a: () => onAnnotate(line.times[bucket ?? lastBucket] ?? 0) } : {}),
    };
    const action = actions[event.key];
    if (!action || lastBucket < 0) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  };
  const surface = (
    // The application role lets arrow keys through to the cursor.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={styles.surface}
      role="application"
      aria-roledescription="chart"
      aria-label={label}
      aria-describedby={describedBy}
      data-asks={onPoint ? true : undefined}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={handleKey}
      onBlur={() => {
        brush.clear();
        setPointedBucket(null);
      }}
      {...brush.pointerHandlers}
      {...taps.handlers}
      onPointerMove={(event) => {
        const nearestBucket = plot.nearestBucket(placeOfPointer(event).x);
        isAtKeys.current = false;
        setPointedBucket(nearestBucket);
        brush.follow(nearestBucket);
      }}
      onPointerLeave={() => setPointedBucket(null)}
      onClick={(event) => {
        if (brush.takeClick()) return;
        const { x, y } = placeOfPointer(event);
        const position = plot.nearestBucket(x);
        setPointedBucket(position);
        if (taps.opens(position)) selectPoint(position, nearestSeries(props, position, y));
      }}
    >
      {brush.span && <Selection plot={plot} span={brush.span} />}
      {bucket !== null && bucket >= 0 && <Values {...props} bucket={bucket} activeSeries={activeSeries} />}
    </div>
  );
  if (!onAnnotate || lastBucket < 0) return surface;
  return (
    <>
      {surface}
      <AnnotateStrip
        plot={plot}
        bucket={bucket}
        onBucketChange={setPointedBucket}
        onAnnotate={(position) => onAnnotate(line.times[position] ?? 0)}
      />
    </>
  );
}

/** Where the cursor is, and the values there. */
function Values(props: CursorProps & { bucket: number; activeSeries: number | null }): ReactNode {
  const { plot, line, nameOfTime, bucket } = props;
  return (
    <>
      <i className={styles.rule} style={{ left: plot.x(bucket) }} />
      <Dots plot={plot} line={line} bucket={bucket} />
      <Suspense>
        <Tooltip {...props} bucketName={nameOfTime(line.times[bucket] ?? 0)} />
      </Suspense>
    </>
  );
}

function placeOfPointer(event: PointerEvent | React.MouseEvent): { x: number; y: number } {
  const box = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function Selection({ plot, span: [first, last] }: { plot: Plot; span: BucketSpan }): ReactNode {
  const left = Math.max(plot.x(first) - plot.bandWidth / 2, 0);
  const right = Math.min(plot.x(last) + plot.bandWidth / 2, plot.width);
  return <i className={styles.selection} style={{ left, width: right - left }} />;
}

function Dots({ plot, line, bucket }: Pick<CursorProps, "plot" | "line"> & { bucket: number }): ReactNode {
  if (plot.layers) return null;
  return line.series.map(({ values, color }, index) => {
    const value = values[bucket] ?? null;
    if (value === null) return null;
    return <i key={index} className={styles.dot} style={{ left: plot.x(bucket), top: plot.y(value), color: seriesColor(color) }} />;
  });
}

function describeBucket({ line, nameOfTime, format }: CursorProps, bucket: number): string {
  const seriesTexts = line.series.map(({ name, values, compared }) => {
    const comparedText = compared ? `, previously ${format(compared[bucket] ?? null)}` : "";
    return `${name} ${format(values[bucket] ?? null)}${comparedText}`;
  });
  return `${nameOfTime(line.times[bucket] ?? 0)}${partInWords(line, bucket)}: ${seriesTexts.join("; ")}`;
}

function greatestSeriesAt({ series }: TimeLine, bucket: number): number {
  const values = series.map(({ values }) => values[bucket] ?? -Infinity);
  return values.indexOf(Math.max(...values));
}

/** Return the series whose line is nearest, or whose bar or area is at this height. */
function nearestSeries({ plot, line }: CursorProps, bucket: number, y: number): number | null {
  if (line.series.length < 2) return null;
  const distances = line.series.map(({ values }, index) => {
    const layer = plot.layers?.[index];
    if (!layer) return values[bucket] === null ? Infinity : Math.abs(plot.y(values[bucket] ?? 0) - y);
    const layerEnds = [plot.y(layer.inner[bucket] ?? 0), plot.y(layer.outer[bucket] ?? 0)];
    return Math.max(Math.min(...layerEnds) - y, y - Math.max(...layerEnds), 0);
  });
  return distances.indexOf(Math.min(...distances));
}
