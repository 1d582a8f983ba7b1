import type { CSSProperties } from "react";
import styles from "./BodySkeleton.module.css";
import { type Form, MAX_PARTS_IN_SIGHT, type Outline } from "./outline.ts";

/** Heights of bars in percent; any that look like a chart. */
const BARS = [44, 52, 60, 56, 42, 38, 46, 54, 64, 72, 66, 54, 46, 50, 60, 68, 74, 70];
const DAYS_PER_WEEK = 7;
const TEXT_LINES = [92, 78, 85, 40];

const falling = (count: number, least: number): number[] =>
  Array.from({ length: count }, (_, index) => 100 - (index * (100 - least)) / Math.max(count, 1));
const even = (count: number): number[] => Array.from({ length: count }, () => 100);

/** Lengths of the parts of each form, in percent of the place that they may take. */
const LENGTHS_BY_FORM: Record<Form, (partCount: number) => readonly number[]> = {
  number: even,
  numbers: even,
  line: () => [],
  bars: () => BARS,
  histogram: () => BARS,
  ranks: (partCount) => falling(partCount, 20),
  funnel: (partCount) => falling(partCount, 30),
  retention: (partCount) => falling(partCount, 10),
  heatmap: () => even(DAYS_PER_WEEK),
  table: (partCount) => even(partCount + 1),
  text: () => TEXT_LINES,
};

/** The place of an answer that is on its way, in the shape that it will have. It can be seen after 150 ms. */
export function BodySkeleton({ outline: { form, partCount } }: { outline: Outline }) {
  const lengths = LENGTHS_BY_FORM[form](Math.min(partCount, MAX_PARTS_IN_SIGHT));
  return (
    <span className={styles.skeleton} data-form={form} aria-hidden="true">
      {form === "line" ? (
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          <path d={`M${BARS.map((height, index) => `${(index * 100) / (BARS.length - 1)} ${100 - height}`).join("L")}`} />
        </svg>
      ) : null}
      {lengths.map((length, index) => (
        <i key={index} style={{ "--length": `${length}%` } as CSSProperties} />
      ))}
    </span>
  );
}
