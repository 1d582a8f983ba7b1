import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from "react";
import { valueTicks } from "../../charts/scale.ts";
import { timeTicks, valueLabels } from "../../charts/ticks.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
import { bucketName } from "../../core/time.ts";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import styles from "./Histogram.module.css";
import { type Bar, type Histogram, barIndexAt } from "./histogramBars.ts";

const MAX_TICKS = 6;
/** As a share of the width: a label there ends with the plot. */
const END_SHARE = 0.03;

export interface HistogramPlotProps {
  histogram: Histogram;
  timezone: string;
  /** The bar under the pointer or the keyboard; null for none. */
  barIndex: number | null;
  onPointBar: (barIndex: number | null) => void;
  onZoom: (fromIndex: number, toIndex: number) => void;
}

/** Stacked bars on a common base. It is one stop of the Tab key: arrows walk, Shift extends, Enter zooms. */
export function HistogramPlot({ histogram, timezone, barIndex, onPointBar, onZoom }: HistogramPlotProps) {
  const { bars, names, interval, total } = histogram;
  const plotRef = useRef<HTMLDivElement>(null);
  const [anchorIndex, setAnchorIndex] = useState<number | null>(null);
  const { values: tickValues } = useMemo(() => valueTicks(0, Math.max(1, ...bars.map((bar) => bar.total)), 4, true), [bars]);
  const maxTotal = tickValues.at(-1) ?? 1;
  const bar = barIndex === null ? undefined : bars[barIndex];
  const pointedIndex = ({ clientX }: PointerEvent) => {
    const box = plotRef.current?.getBoundingClientRect();
    return box ? barIndexAt((clientX - box.left) / box.width, bars.length) : 0;
  };
  const endDrag = (event: PointerEvent) => {
    const endIndex = pointedIndex(event);
    if (anchorIndex !== null && endIndex !== anchorIndex) onZoom(anchorIndex, endIndex);
    setAnchorIndex(null);
  };
  const handleKey = (event: KeyboardEvent) => {
    const nextIndex = indexAfterKey(event.key, barIndex ?? bars.length - 1, bars.length, barIndex === null);
    if (nextIndex !== null) {
      setAnchorIndex(event.shiftKey ? (anchorIndex ?? barIndex ?? nextIndex) : null);
      onPointBar(nextIndex);
    } else if (event.key === "Enter" && barIndex !== null) {
      setAnchorIndex(null);
      onZoom(anchorIndex ?? barIndex, barIndex);
    } else if (event.key === "Escape" && anchorIndex !== null) setAnchorIndex(null);
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
        ref={plotRef}
        className={styles.bars}
        role="slider"
        tabIndex={0}
        data-own-keys
        aria-label={`Events per ${interval}, ${formatExact(total)} in total. Arrow keys move, Shift selects, Enter zooms.`}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={barIndex ?? Math.max(0, bars.length - 1)}
        aria-valuetext={bar ? `${bucketName(bar.from, interval, timezone)}: ${countInWords(bar.total, "event")}` : summaryText(histogram, timezone)}
        onKeyDown={handleKey}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setAnchorIndex(pointedIndex(event));
        }}
        onPointerMove={(event) => onPointBar(pointedIndex(event))}
        onPointerUp={endDrag}
        onPointerCancel={() => setAnchorIndex(null)}
        onPointerLeave={() => anchorIndex === null && onPointBar(null)}
        onBlur={() => {
          setAnchorIndex(null);
          onPointBar(null);
        }}
      >
        {bars.map((column) => (
          <Column key={column.from} bar={column} maxTotal={maxTotal} colors={names.map(({ color }) => color)} />
        ))}
        {barIndex === null ? null : <ChosenBars fromIndex={anchorIndex ?? barIndex} toIndex={barIndex} barCount={bars.length} />}
      </div>
      <TimeAxis bars={bars} timezone={timezone} />
      <Hidden>{summaryText(histogram, timezone)}</Hidden>
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

function ChosenBars({ fromIndex, toIndex, barCount }: { fromIndex: number; toIndex: number; barCount: number }) {
  const firstIndex = Math.min(fromIndex, toIndex);
  const chosenCount = Math.abs(toIndex - fromIndex) + 1;
  const style = { left: `${(firstIndex / barCount) * 100}%`, width: `${(chosenCount / barCount) * 100}%` };
  return <span className={styles.chosen} style={style} />;
}

function TimeAxis({ bars, timezone }: { bars: readonly Bar[]; timezone: string }) {
  const startMs = bars[0]?.from ?? 0;
  const endMs = bars.at(-1)?.to ?? 0;
  const ticks = useMemo(() => timeTicks(startMs / 1_000, endMs / 1_000, MAX_TICKS, timezone), [startMs, endMs, timezone]);
  return (
    <div className={styles.times} aria-hidden="true">
      {ticks.map(({ seconds, label }, index) => (
        <span
          key={seconds}
          data-second={index % 2 === 1 || undefined}
          data-last={seconds * 1_000 > endMs - (endMs - startMs) * END_SHARE || undefined}
          style={{ left: `${((seconds * 1_000 - startMs) / (endMs - startMs)) * 100}%` }}
        >
          {label}
        </span>
      ))}
    </div>
  );
}

/** Return the bar that a key leads to; null if it leads nowhere. */
function indexAfterKey(key: string, index: number, barCount: number, isFirstKey: boolean): number | null {
  const indexByKey: Record<string, number> = {
    ArrowLeft: isFirstKey ? index : index - 1,
    ArrowRight: isFirstKey ? index : index + 1,
    Home: 0,
    End: barCount - 1,
  };
  const nextIndex = indexByKey[key];
  return nextIndex === undefined ? null : Math.min(barCount - 1, Math.max(0, nextIndex));
}

function summaryText({ bars, interval, total }: Histogram, timezone: string): string {
  const begunBars = bars.filter(({ hasBegun }) => hasBegun);
  const wholeBars = begunBars.filter(({ isPartial }) => !isPartial);
  const barsByTotal = (wholeBars.length > 0 ? wholeBars : begunBars).toSorted((left, right) => left.total - right.total);
  const [lowestBar, highestBar, latestBar] = [barsByTotal[0], barsByTotal.at(-1), begunBars.at(-1)];
  if (!lowestBar || !highestBar || !latestBar) return "No events.";
  const barInWords = (bar: Bar) => `${formatExact(bar.total)} at ${bucketName(bar.from, interval, timezone)}`;
  return `${countInWords(total, "event")}; fewest ${barInWords(lowestBar)}, most ${barInWords(highestBar)}, last ${formatExact(latestBar.total)}${latestBar.isOpen ? " so far" : ""}.`;
}
