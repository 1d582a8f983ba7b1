import { Suspense, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import { announce } from "../ui/announce.ts";
import { lazily } from "../ui/lazily.ts";
import { AnnotateStrip } from "./AnnotateStrip.tsx";
import { seriesColor } from "./colors.ts";
import type { CursorProps } from "./cursorProps.ts";
import type { TimeLine } from "./series.ts";
import styles from "./Cursor.module.css";

/** Nobody sees it before the cursor stands somewhere. */
const Tooltip = lazily(() => import("./Tooltip.tsx"), "Tooltip");

const FAR = 10;

/** The surface of a chart: a cursor that follows the mouse and the arrow keys, and the values where it stands. */
export function Cursor(props: CursorProps): ReactNode {
  const { plot, line, positions, label, describedBy, format, nameOf, onPoint, onAnnotate } = props;
  const [bucket, setBucket] = useState<number | null>(null);
  const [activeSeries, setActiveSeries] = useState<number | null>(null);
  const last = line.times.length - 1;
  const at = bucket === null ? null : Math.min(bucket, last);

  const moveTo = (to: number): void => {
    const next = Math.min(Math.max(to, 0), last);
    setBucket(next);
    announce(sentenceOf(props, next));
  };
  const selectPoint = (position: number, series: number | null): void => {
    const only = line.series.length > 1 ? (series ?? greatestAt(line, position)) : null;
    onPoint?.(position, only === null ? null : (positions[only] ?? only));
  };
  const chooseSeries = (by: number): void => {
    if (at === null || line.series.length < 2) return;
    const next = ((activeSeries ?? (by > 0 ? -1 : 0)) + by + line.series.length) % line.series.length;
    setActiveSeries(next);
    const series = line.series[next];
    if (series) announce(`${series.name} ${format(series.values[at] ?? null)}`);
  };
  const handleKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const stepSize = event.shiftKey ? FAR : 1;
    const actions: Partial<Record<string, () => void>> = {
      ArrowLeft: () => moveTo((at ?? last + 1) - stepSize),
      ArrowRight: () => moveTo((at ?? -1) + stepSize),
      ArrowUp: () => chooseSeries(-1),
      ArrowDown: () => chooseSeries(1),
      Home: () => moveTo(0),
      End: () => moveTo(last),
      ...(at === null ? {} : { Escape: () => setBucket(null) }),
      ...(onPoint && at !== null ? { Enter: () => selectPoint(at, activeSeries) } : {}),
      ...(onAnnotate ? { a: () => onAnnotate(line.times[at ?? last] ?? 0) } : {}),
    };
    const act = actions[event.key];
    if (!act || last < 0) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  const placeOf = (event: PointerEvent | React.MouseEvent): { x: number; y: number } => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
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
      onBlur={() => setBucket(null)}
      onPointerMove={(event) => setBucket(plot.nearest(placeOf(event).x))}
      onPointerLeave={() => setBucket(null)}
      onClick={(event) => {
        const { x, y } = placeOf(event);
        const position = plot.nearest(x);
        setBucket(position);
        selectPoint(position, nearestSeries(props, position, y));
      }}
    >
      {at !== null && at >= 0 && (
        <>
          <i className={styles.rule} style={{ left: plot.x(at) }} />
          <Dots plot={plot} line={line} positions={positions} at={at} />
          <Suspense>
            <Tooltip {...props} at={at} activeSeries={activeSeries} name={nameOf(line.times[at] ?? 0)} />
          </Suspense>
        </>
      )}
    </div>
  );
  if (!onAnnotate || last < 0) return surface;
  return (
    <>
      {surface}
      <AnnotateStrip plot={plot} at={at} onPoint={setBucket} onAnnotate={(position) => onAnnotate(line.times[position] ?? 0)} />
    </>
  );
}

function Dots({ plot, line, positions, at }: Pick<CursorProps, "plot" | "line" | "positions"> & { at: number }): ReactNode {
  if (plot.layers) return null;
  return line.series.map(({ values, isRest }, index) => {
    const value = values[at] ?? null;
    if (value === null) return null;
    const color = seriesColor(positions[index] ?? index, isRest);
    return <i key={index} className={styles.dot} style={{ left: plot.x(at), top: plot.y(value), color }} />;
  });
}

function sentenceOf({ line, nameOf, format }: CursorProps, at: number): string {
  const values = line.series.map(({ name, values, compared }) => {
    const before = compared ? `, before ${format(compared[at] ?? null)}` : "";
    return `${name} ${format(values[at] ?? null)}${before}`;
  });
  const soFar = line.isLastPartial && at === line.times.length - 1 ? ", so far" : "";
  return `${nameOf(line.times[at] ?? 0)}${soFar}: ${values.join("; ")}`;
}

function greatestAt({ series }: TimeLine, at: number): number {
  const values = series.map(({ values }) => values[at] ?? -Infinity);
  return values.indexOf(Math.max(...values));
}

/** Return the series whose line is nearest, or whose bar or area is at this height. */
function nearestSeries({ plot, line }: CursorProps, at: number, y: number): number | null {
  if (line.series.length < 2) return null;
  const distances = line.series.map(({ values }, index) => {
    const layer = plot.layers?.[index];
    if (!layer) return values[at] === null ? Infinity : Math.abs(plot.y(values[at] ?? 0) - y);
    const ends = [plot.y(layer.inner[at] ?? 0), plot.y(layer.outer[at] ?? 0)];
    return Math.max(Math.min(...ends) - y, y - Math.max(...ends), 0);
  });
  return distances.indexOf(Math.min(...distances));
}
