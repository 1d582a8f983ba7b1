import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from "react";
import { valueTicks } from "../../charts/scale.ts";
import { timeTicks, valueLabels } from "../../charts/ticks.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
import { bucketName } from "../../core/time.ts";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import styles from "./Histogram.module.css";
import { type Bar, type Histogram, barAt } from "./histogramBars.ts";

const MAX_TICKS = 6;
/** As a share of the width: a label there ends with the plot. */
const NEAR_THE_END = 0.03;

export interface HistogramPlotProps {
  histogram: Histogram;
  timezone: string;
  /** The bar under the pointer or the keyboard; null for none. */
  at: number | null;
  onPoint: (at: number | null) => void;
  onZoom: (one: number, other: number) => void;
}

/** Stacked bars on a common base. It is one stop of the Tab key: arrows walk, Shift extends, Enter zooms. */
export function HistogramPlot({ histogram, timezone, at, onPoint, onZoom }: HistogramPlotProps) {
  const { bars, names, interval, total } = histogram;
  const plot = useRef<HTMLDivElement>(null);
  const [anchor, setAnchor] = useState<number | null>(null);
  const { values } = useMemo(() => valueTicks(0, Math.max(1, ...bars.map((bar) => bar.total)), 4, true), [bars]);
  const maxTotal = values.at(-1) ?? 1;
  const bar = at === null ? undefined : bars[at];
  const place = ({ clientX }: PointerEvent) => {
    const box = plot.current?.getBoundingClientRect();
    return box ? barAt((clientX - box.left) / box.width, bars.length) : 0;
  };
  const drop = (event: PointerEvent) => {
    const end = place(event);
    if (anchor !== null && end !== anchor) onZoom(anchor, end);
    setAnchor(null);
  };
  const handleKey = (event: KeyboardEvent) => {
    const next = stepOf(event.key, at ?? bars.length - 1, bars.length, at === null);
    if (next !== null) {
      setAnchor(event.shiftKey ? (anchor ?? at ?? next) : null);
      onPoint(next);
    } else if (event.key === "Enter" && at !== null) {
      setAnchor(null);
      onZoom(anchor ?? at, at);
    } else if (event.key === "Escape" && anchor !== null) setAnchor(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.plot}>
      <div className={styles.values} aria-hidden="true">
        {valueLabels({ values: [0, maxTotal], step: maxTotal }).map((label, index) => (
          <span key={label} style={{ bottom: `${index * 100}%` }}>
            {label}
          </span>
        ))}
      </div>
      <div
        ref={plot}
        className={styles.bars}
        role="slider"
        tabIndex={0}
        data-own-keys
        aria-label={`Events per ${interval}, ${formatExact(total)} in all. Arrow keys walk, Shift extends, Enter zooms.`}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={at ?? Math.max(0, bars.length - 1)}
        aria-valuetext={bar ? `${bucketName(bar.from, interval, timezone)}: ${countInWords(bar.total, "event")}` : summary(histogram, timezone)}
        onKeyDown={handleKey}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setAnchor(place(event));
        }}
        onPointerMove={(event) => onPoint(place(event))}
        onPointerUp={drop}
        onPointerCancel={() => setAnchor(null)}
        onPointerLeave={() => anchor === null && onPoint(null)}
        onBlur={() => {
          setAnchor(null);
          onPoint(null);
        }}
      >
        {bars.map((column) => (
          <Column key={column.from} bar={column} maxTotal={maxTotal} colors={names.map(({ color }) => color)} />
        ))}
        {at === null ? null : <Chosen from={anchor ?? at} to={at} count={bars.length} />}
      </div>
      <Times bars={bars} timezone={timezone} />
      <Hidden>{summary(histogram, timezone)}</Hidden>
    </div>
  );
}

function Column({ bar, maxTotal, colors }: { bar: Bar; maxTotal: number; colors: string[] }) {
  return (
    <span className={styles.column} data-partial={bar.isPartial || undefined}>
      {bar.counts.map((count, index) =>
        count > 0 ? <i key={index} style={{ height: `${(count / maxTotal) * 100}%`, background: colors[index] }} /> : null,
      )}
    </span>
  );
}

function Chosen({ from, to, count }: { from: number; to: number; count: number }) {
  const first = Math.min(from, to);
  const width = Math.abs(to - from) + 1;
  return <span className={styles.chosen} style={{ left: `${(first / count) * 100}%`, width: `${(width / count) * 100}%` }} />;
}

function Times({ bars, timezone }: { bars: readonly Bar[]; timezone: string }) {
  const low = bars[0]?.from ?? 0;
  const high = bars.at(-1)?.to ?? 0;
  const ticks = useMemo(() => timeTicks(low / 1_000, high / 1_000, MAX_TICKS, timezone), [low, high, timezone]);
  return (
    <div className={styles.times} aria-hidden="true">
      {ticks.map(({ at, label }, index) => (
        <span
          key={at}
          data-second={index % 2 === 1 || undefined}
          data-last={at * 1_000 > high - (high - low) * NEAR_THE_END || undefined}
          style={{ left: `${((at * 1_000 - low) / (high - low)) * 100}%` }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

/** Return the bar that a key leads to; null if it leads nowhere. */
function stepOf(key: string, at: number, count: number, isFirst: boolean): number | null {
  const to: Record<string, number> = { ArrowLeft: isFirst ? at : at - 1, ArrowRight: isFirst ? at : at + 1, Home: 0, End: count - 1 };
  const next = to[key];
  return next === undefined ? null : Math.min(count - 1, Math.max(0, next));
}

function summary({ bars, interval, total }: Histogram, timezone: string): string {
  if (bars.length === 0) return "No events.";
  const byTotal = [...bars].sort((one, other) => one.total - other.total);
  const [lowestBar, highestBar] = [byTotal[0], byTotal.at(-1)];
  if (!lowestBar || !highestBar) return "No events.";
  const inWords = (bar: Bar) => `${formatExact(bar.total)} at ${bucketName(bar.from, interval, timezone)}`;
  return `${countInWords(total, "event")}; least ${inWords(lowestBar)}, most ${inWords(highestBar)}, last ${formatExact(bars.at(-1)?.total ?? 0)}.`;
}
