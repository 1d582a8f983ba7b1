import type { ReactNode } from "react";
import { path } from "./path.ts";
import { linearScale } from "./scale.ts";
import { extent, type Values } from "./series.ts";
import styles from "./Sparkline.module.css";

export interface SparklineProps {
  values: Values;
  /** What assistive technology reads; without it, the line is decoration beside the number it belongs to. */
  label?: string | undefined;
}

const SIZE = 1_000;

/** A small grey line whose last point is blue; it has no axis. */
export function Sparkline({ values, label }: SparklineProps): ReactNode {
  const valueExtent = extent([values]);
  if (!valueExtent) return null;
  const [shareOfValue, shareOfIndex] = [linearScale(...valueExtent), linearScale(0, Math.max(values.length - 1, 1))];
  const points = values.flatMap((value, index) =>
    value === null ? [] : [[shareOfIndex(index) * SIZE, (1 - shareOfValue(value)) * SIZE] as const],
  );
  const [lastX, lastY] = points.at(-1) ?? [0, 0];
  const ariaProps = label === undefined ? ({ "aria-hidden": true } as const) : { role: "img", "aria-label": label };
  return (
    <div className={styles.sparkline} {...ariaProps}>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path(points)} />
      </svg>
      <i style={{ left: `${lastX / 10}%`, top: `${lastY / 10}%` }} />
    </div>
  );
}
