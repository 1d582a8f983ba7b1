import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { formatExact, formatShort, formatAmong } from "../core/numbers.ts";
import { announce } from "../ui/announce.ts";
import { Axes } from "./Axes.tsx";
import styles from "./HistogramBars.module.css";
import { barPath } from "./path.ts";
import type { AxisLabel } from "./plot.ts";
import { type Rule, placeRules } from "./rules.ts";
import { linearScale, valueTicks } from "./scale.ts";
import { valueLabels } from "./ticks.ts";
import { useSize, type Size } from "./useSize.ts";
import { useTaps } from "./useTaps.ts";

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
  /** The bucket that is open elsewhere on the page. */
  openBucket?: number | undefined;
}

const NO_RULES: readonly Rule[] = [];

/** How values are distributed: a bar for each range of values, with a cursor for mouse and keys. */
export function HistogramBars({ title, buckets, unit, rules = NO_RULES, onBucket, openBucket }: HistogramBarsProps): ReactNode {
  const [ref, size] = useSize<HTMLDivElement>();
  const [activeIndex, setActiveIndex] = useState<number | null>(null);
  const taps = useTaps();
  const summaryId = useId();
  const layout = size ? layoutOf(buckets, size, unit) : null;
  const rangeTextOf = (index: number): string => rangeInWords(buckets, index, unit);
  const moveTo = (target: number): void => {
    const nextIndex = Math.min(Math.max(target, 0), buckets.length - 1);
    setActiveIndex(nextIndex);
    announce(`${rangeTextOf(nextIndex)}: ${formatExact(buckets[nextIndex]?.count ?? 0)}`);
  };
  const handleClick = (index: number): void => {
    setActiveIndex(index);
    if (taps.opens(index)) onBucket?.(index);
  };
  const handleKey = (event: KeyboardEvent): void => {
    const step = event.shiftKey ? 10 : 1;
    if (event.key === "ArrowLeft") moveTo((activeIndex ?? buckets.length) - step);
    else if (event.key === "ArrowRight") moveTo((activeIndex ?? -1) + step);
    else if (event.key === "Home") moveTo(0);
    else if (event.key === "End") moveTo(buckets.length - 1);
    else if (event.key === "Enter" && activeIndex !== null) onBucket?.(activeIndex);
    else if (event.key === "Escape" && activeIndex !== null) setActiveIndex(null);
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
            {placeRules(rules, layout.shareOf, size.width).map(({ share, label, side }, index) => (
              <span key={index} data-rule aria-hidden="true" style={{ left: `${share * 100}%` }}>
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
              aria-describedby={summaryId}
              // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
              tabIndex={0}
              data-asks={onBucket ? true : undefined}
              onKeyDown={handleKey}
              onBlur={() => setActiveIndex(null)}
              {...taps.handlers}
              onPointerLeave={() => setActiveIndex(null)}
            >
              {buckets.map((bucket, index) => (
                // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
                <i
                  key={bucket.from}
                  data-here={index === activeIndex || undefined}
                  data-open={index === openBucket || undefined}
                  onPointerEnter={() => setActiveIndex(index)}
                  onClick={() => handleClick(index)}
                />
              ))}
            </div>
            {activeIndex !== null && (
              <div className={styles.tooltip} aria-hidden="true" style={tooltipPosition(activeIndex, buckets.length)}>
                {rangeTextOf(activeIndex)} <b>{formatExact(buckets[activeIndex]?.count ?? 0)}</b>
              </div>
            )}
          </>
        )}
      </div>
      <p className={styles.summary} id={summaryId}>
        {[summaryOf(buckets, unit), ...rules.map(({ label }) => `${label}.`)].join(" ")}
      </p>
    </div>
  );
}

interface Layout {
  valueLabels: AxisLabel[];
  momentLabels: AxisLabel[];
  gutter: number;
  path: string;
  shareOf: (value: number) => number;
}

function layoutOf(buckets: readonly HistogramBucket[], { width, height }: Size, unit: string | null | undefined): Layout {
  const [firstValue, lastValue] = [buckets[0]?.from ?? 0, buckets.at(-1)?.to ?? 1];
  const countTicks = valueTicks(0, Math.max(1, ...buckets.map(({ count }) => count)), Math.min(Math.floor(height / 30) + 1, 6), true);
  const shareOfCount = linearScale(0, countTicks.values.at(-1) ?? 1);
  const shareOfValue = firstValue === lastValue ? () => 0.5 : linearScale(firstValue, lastValue);
  const labels = valueLabels(countTicks);
  const bandWidth = width / Math.max(buckets.length, 1);
  const bars = buckets.map(({ count }, index) => {
    const gap = bandWidth > 4 ? 1 : 0;
    const top = count === 0 ? height : Math.min((1 - shareOfCount(count)) * height, height - 1);
    return barPath(index * bandWidth + gap / 2, bandWidth - gap, height, top, true);
  });
  return {
    valueLabels: countTicks.values.map((value, index) => ({ share: 1 - shareOfCount(value), label: labels[index] ?? "", align: "end" })),
    momentLabels: boundLabels(firstValue, lastValue, shareOfValue, width, unit),
    gutter: Math.ceil(Math.max(...labels.map(({ length }) => length)) * 6.9) + 8,
    path: bars.join(""),
    shareOf: shareOfValue,
  };
}

/** Label round values within the range of the bars. */
function boundLabels(firstValue: number, lastValue: number, shareOfValue: (value: number) => number, width: number, unit: string | null | undefined): AxisLabel[] {
  if (firstValue === lastValue) return [{ share: 0.5, label: withUnit(formatShort(firstValue), unit), align: "middle" }];
  const ticks = valueTicks(firstValue, lastValue, Math.max(2, Math.min(Math.floor(width / 54), 8) + 2));
  const labels = valueLabels(ticks);
  return ticks.values
    .map((value, index) => ({ value, label: labels[index] ?? "" }))
    .filter(({ value }) => value >= firstValue && value <= lastValue)
    .map(({ value, label }, index) => {
      const share = shareOfValue(value);
      const align = share < 0.03 ? "start" : share > 0.97 ? "end" : "middle";
      return { share, label: index === 0 ? withUnit(label, unit) : label, align };
    });
}

const withUnit = (text: string, unit: string | null | undefined): string => (unit ? `${text} ${unit}` : text);

function rangeInWords(buckets: readonly HistogramBucket[], index: number, unit: string | null | undefined): string {
  const bucket = buckets[index];
  if (!bucket) return "";
  const [low, high] = [buckets[0]?.from ?? 0, buckets.at(-1)?.to ?? 0];
  const [from, to] = [formatAmong(bucket.from, low, high), formatAmong(bucket.to, low, high)];
  return withUnit(from === to ? from : `${from} to ${to}`, unit);
}

function tooltipPosition(index: number, count: number): React.CSSProperties {
  const middle = ((index + 0.5) / count) * 100;
  return middle < 50 ? { left: `calc(${middle}% + 12px)` } : { right: `calc(${100 - middle}% + 12px)` };
}

function summaryOf(buckets: readonly HistogramBucket[], unit: string | null | undefined): string {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const maxCount = Math.max(0, ...buckets.map(({ count }) => count));
  if (total === 0) return "No values in this time range.";
  const [low, high] = [buckets[0]?.from ?? 0, buckets.at(-1)?.to ?? 0];
  const range = `${formatExact(total)} values from ${formatShort(low)} to ${withUnit(formatShort(high), unit)}`;
  return `${range}. Peak: ${formatExact(maxCount)} from ${rangeInWords(buckets, buckets.findIndex(({ count }) => count === maxCount), unit)}.`;
}
