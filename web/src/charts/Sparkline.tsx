import type { ReactNode } from "react";
import { linePath } from "./path.ts";
import { linearScale } from "./scale.ts";
import { extent, type Values, wholeValuesOf } from "./series.ts";
import styles from "./Sparkline.module.css";

export interface SparklineProps {
  values: Values;
  /** The positions of values of only a part of their bucket, which stand apart as rings. */
  partialBuckets?: ReadonlySet<number> | undefined;
  /** What assistive technology reads; without it, the line is decoration beside the number it belongs to. */
  label?: string | undefined;
}

const SIZE = 1_000;

/** A small grey line whose last whole point is blue; it has no axis. */
export function Sparkline({ values, partialBuckets, label }: SparklineProps): ReactNode {
  const valueExtent = extent([values]);
  if (!valueExtent) return null;
  const [shareOfValue, shareOfIndex] = [linearScale(...valueExtent), linearScale(0, Math.max(values.length - 1, 1))];
  const places = { x: (position: number) => shareOfIndex(position) * SIZE, y: (value: number) => (1 - shareOfValue(value)) * SIZE };
  const wholeValues = wholeValuesOf(values, partialBuckets);
  const lastBucket = wholeValues.findLastIndex((value) => value !== null);
  const markAt = (bucket: number) => {
    const value = values[bucket] ?? null;
    if (value === null) return null;
    const style = { left: `${places.x(bucket) / 10}%`, top: `${places.y(value) / 10}%` };
    return <i key={bucket} data-partial={partialBuckets?.has(bucket) ? true : undefined} style={style} />;
  };
  const ariaProps = label === undefined ? ({ "aria-hidden": true } as const) : { role: "img", "aria-label": label };
  return (
    <div className={styles.sparkline} {...ariaProps}>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={linePath(wholeValues, [...values.keys()], places)} />
      </svg>
      {[lastBucket, ...(partialBuckets ?? [])].map(markAt)}
    </div>
  );
}
