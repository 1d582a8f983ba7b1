import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { formatExact, formatShort, formatAmong } from "../core/numbers.ts";
import { announce } from "../ui/announce.ts";
import { Axes } from "./Axes.tsx";
import styles from "./HistogramBars.module.css";
import { barPath } from "./path.ts";
import type { AxisLabel } from "./plot.ts";
import { type Rule, placeRules } from "./rules.ts";
import { linear, valueTicks } from "./scale.ts";
import { valueLabels } from "./ticks.ts";
import { useSize, type Size } from "./useSize.ts";

export interface HistogramBucket {
  from: number;
  to: number;
  count: number;
}

export interface HistogramBarsProps {
  title: string;
  /** In ascending order; each begins where the one before ends. */
  buckets: readonly HistogramBucket[];
  unit?: string | null | undefined;
  /** Values marked by a rule above the bars, such as a median. */
  rules?: readonly Rule[];
  onBucket?: ((bucket: number) => void) | undefined;
}

const NO_RULES: readonly Rule[] = [];

/** How values are distributed: a bar for each range of values, with a cursor for mouse and keys. */
export function HistogramBars({ title, buckets, unit, rules = NO_RULES, onBucket }: HistogramBarsProps): ReactNode {
  const [ref, size] = useSize<HTMLDivElement>();
  const [at, setAt] = useState<number | null>(null);
  const summary = useId();
  const layout = size ? layoutOf(buckets, size, unit) : null;
  const rangeOf = (number: number): string => rangeInWords(buckets, number, unit);
  const moveTo = (to: number): void => {
    const next = Math.min(Math.max(to, 0), buckets.length - 1);
    setAt(next);
    announce(`${rangeOf(next)}: ${formatExact(buckets[next]?.count ?? 0)}`);
  };
  const handleKey = (event: KeyboardEvent): void => {
    const far = event.shiftKey ? 10 : 1;
    if (event.key === "ArrowLeft") moveTo((at ?? buckets.length) - far);
    else if (event.key === "ArrowRight") moveTo((at ?? -1) + far);
    else if (event.key === "Home") moveTo(0);
    else if (event.key === "End") moveTo(buckets.length - 1);
    else if (event.key === "Enter" && at !== null) onBucket?.(at);
    else if (event.key === "Escape" && at !== null) setAt(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.chart}>
      <div className={styles.plot} data-ruled={rules.length > 0 ? true : undefined} ref={ref} style={{ marginLeft: layout?.gutter }}>
        {layout && size && (
          <>
            <Axes plot={layout} />
            <svg viewBox={`0 0 ${Math.max(size.width, 1)} ${Math.max(size.height, 1)}`} preserveAspectRatio="none" aria-hidden="true">
              <path d={layout.path} />
            </svg>
            {placeRules(rules, layout.share, size.width).map(({ at: place, label, side }, index) => (
              <span key={index} data-rule aria-hidden="true" style={{ left: `${place * 100}%` }}>
                {label && <b data-side={side}>{label}</b>}
              </span>
            ))}
            {/* The application role lets arrow keys through to the bars. */}
            {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
            <div
              className={styles.surface}
              role="application"
              aria-roledescription="chart"
              aria-label={title}
              aria-describedby={summary}
              // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              onKeyDown={handleKey}
              onBlur={() => setAt(null)}
              onPointerLeave={() => setAt(null)}
            >
              {buckets.map((bucket, index) => (
                // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
                <i
                  key={bucket.from}
                  data-here={index === at || undefined}
                  onPointerEnter={() => setAt(index)}
                  onClick={onBucket && (() => onBucket(index))}
                />
              ))}
            </div>
            {at !== null && (
              <div className={styles.tooltip} aria-hidden="true" style={placeOf(at, buckets.length)}>
                {rangeOf(at)} <b>{formatExact(buckets[at]?.count ?? 0)}</b>
              </div>
            )}
          </>
        )}
      </div>
      <p className={styles.summary} id={summary}>
        {[summaryOf(buckets, unit), ...rules.map(({ label }) => `${label}.`)].join(" ")}
      </p>
    </div>
  );
}

interface Layout {
  values: AxisLabel[];
  moments: AxisLabel[];
  gutter: number;
  path: string;
  share: (value: number) => number;
}

function layoutOf(buckets: readonly HistogramBucket[], { width, height }: Size, unit: string | null | undefined): Layout {
  const [first, last] = [buckets[0]?.from ?? 0, buckets.at(-1)?.to ?? 1];
  const counts = valueTicks(0, Math.max(1, ...buckets.map(({ count }) => count)), Math.min(Math.floor(height / 30) + 1, 6), true);
  const y = linear(0, counts.values.at(-1) ?? 1);
  const x = first === last ? () => 0.5 : linear(first, last);
  const labels = valueLabels(counts);
  const band = width / Math.max(buckets.length, 1);
  const bars = buckets.map(({ count }, index) => {
    const gap = band > 4 ? 1 : 0;
    const top = count === 0 ? height : Math.min((1 - y(count)) * height, height - 1);
    return barPath(index * band + gap / 2, band - gap, height, top, true);
  });
  return {
    values: counts.values.map((value, index) => ({ at: 1 - y(value), label: labels[index] ?? "", align: "end" })),
    moments: boundLabels(first, last, x, width, unit),
    gutter: Math.ceil(Math.max(...labels.map(({ length }) => length)) * 6.9) + 8,
    path: bars.join(""),
    share: x,
  };
}

/** Label round values within the range of the bars. */
function boundLabels(first: number, last: number, x: (value: number) => number, width: number, unit: string | null | undefined): AxisLabel[] {
  if (first === last) return [{ at: 0.5, label: withUnit(formatShort(first), unit), align: "middle" }];
  const ticks = valueTicks(first, last, Math.max(2, Math.min(Math.floor(width / 54), 8) + 2));
  const labels = valueLabels(ticks);
  return ticks.values
    .map((value, index) => ({ value, label: labels[index] ?? "" }))
    .filter(({ value }) => value >= first && value <= last)
    .map(({ value, label }, index) => {
      const share = x(value);
      const align = share < 0.03 ? "start" : share > 0.97 ? "end" : "middle";
      return { at: share, label: index === 0 ? withUnit(label, unit) : label, align };
    });
}

const withUnit = (text: string, unit: string | null | undefined): string => (unit ? `${text} ${unit}` : text);

function rangeInWords(buckets: readonly HistogramBucket[], number: number, unit: string | null | undefined): string {
  const bucket = buckets[number];
  if (!bucket) return "";
  const [low, high] = [buckets[0]?.from ?? 0, buckets.at(-1)?.to ?? 0];
  const [from, to] = [formatAmong(bucket.from, low, high), formatAmong(bucket.to, low, high)];
  return withUnit(from === to ? from : `${from} to ${to}`, unit);
}

function placeOf(at: number, count: number): React.CSSProperties {
  const middle = ((at + 0.5) / count) * 100;
  return middle < 50 ? { left: `calc(${middle}% + 12px)` } : { right: `calc(${100 - middle}% + 12px)` };
}

function summaryOf(buckets: readonly HistogramBucket[], unit: string | null | undefined): string {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const maxCount = Math.max(0, ...buckets.map(({ count }) => count));
  if (total === 0) return "No values in this range.";
  const [low, high] = [buckets[0]?.from ?? 0, buckets.at(-1)?.to ?? 0];
  const range = `${formatExact(total)} values from ${formatShort(low)} to ${withUnit(formatShort(high), unit)}`;
  return `${range}; the most, ${formatExact(maxCount)}, from ${rangeInWords(buckets, buckets.findIndex(({ count }) => count === maxCount), unit)}.`;
}
