import styles from "./Skeleton.module.css";

/** Heights of the bars, in percent; any that look like a chart. */
const BARS = [44, 52, 60, 56, 42, 38, 46, 54, 64, 72, 66, 54, 46, 50, 60, 68, 74, 70];

/** The place of a chart that is loading, in the shape of one. It fills its place after 150 ms. */
export function ChartSkeleton() {
  return (
    <span className={styles.chart} aria-hidden="true">
      {BARS.map((height, index) => (
        <i key={index} style={{ height: `${height}%` }} />
      ))}
    </span>
  );
}
