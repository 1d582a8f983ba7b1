import { spreadLabels } from "../../../charts/EndLabels.tsx";
import type { Plot } from "../../../charts/plot.ts";
import styles from "./RaceLabels.module.css";

export interface RaceLabel {
  name: string;
  value: string;
  /** Below both; empty for nothing. */
  detail: string;
  /** The height of the end of its line, in pixels from above. */
  y: number;
}

const ROW_HEIGHT = 16;
/** Beside the labels, in pixels. */
const GAPS = 14;
const TALL_ROW_HEIGHT = 32;

export interface RaceLabelsProps {
  plot: Plot;
  /** The room right of the plot, in pixels. */
  width: number;
  labels: readonly RaceLabel[];
}

/** Names and values beside the ends of lines, moved apart where lines end near each other. */
export function RaceLabels({ plot, width, labels }: RaceLabelsProps) {
  const hasDetails = labels.length * TALL_ROW_HEIGHT <= plot.height && labels.some(({ detail }) => detail !== "");
  const sortedLabels = labels.toSorted((left, right) => left.y - right.y);
  return spreadLabels(sortedLabels, plot.height, hasDetails ? TALL_ROW_HEIGHT : ROW_HEIGHT).map(({ name, value, detail, y }, index) => (
    <span key={index} className={styles.label} aria-hidden="true" style={{ top: y, width: width - GAPS }}>
      <b>
        <span>{name}</span> <em>{value}</em>
      </b>
      {hasDetails ? <small>{detail}</small> : null}
    </span>
  ));
}
