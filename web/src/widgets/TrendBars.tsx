import styles from "./TrendBars.module.css";
import type { Trend } from "./trends.ts";

/** The share of a bucket that its bar takes. */
const BAR_SHARE = 0.8;

/** Small bars from zero, paler for a part of a bucket. They are decoration: the row has their sum. */
export function TrendBars({ values, partialBuckets }: Trend) {
  const maxValue = Math.max(1, ...values.map((value) => value ?? 0));
  const barOf = (value: number, bucket: number) => `M${bucket} 1V${1 - value / maxValue}h${BAR_SHARE}V1Z`;
  const bars = values.map((value, bucket) => ({ path: value ? barOf(value, bucket) : "", isPartial: partialBuckets.has(bucket) }));
  const pathOf = (isPartial: boolean) => bars.filter((bar) => bar.isPartial === isPartial).map(({ path }) => path).join("");
  return (
    <svg className={styles.bars} viewBox={`0 0 ${values.length} 1`} preserveAspectRatio="none" aria-hidden="true">
      <path d={pathOf(false)} />
      <path data-partial d={pathOf(true)} />
    </svg>
  );
}
