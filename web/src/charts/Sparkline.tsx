import type { ReactNode } from "react";
import { path } from "./path.ts";
import { linear } from "./scale.ts";
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
  const reach = extent([values]);
  if (!reach) return null;
  const [y, x] = [linear(...reach), linear(0, Math.max(values.length - 1, 1))];
  const places = values.flatMap((value, index) => (value === null ? [] : [[x(index) * SIZE, (1 - y(value)) * SIZE] as const]));
  const [lastX, lastY] = places.at(-1) ?? [0, 0];
  const ariaProps = label === undefined ? ({ "aria-hidden": true } as const) : { role: "img", "aria-label": label };
  return (
    <div className={styles.sparkline} {...ariaProps}>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path(places)} />
      </svg>
      <i style={{ left: `${lastX / 10}%`, top: `${lastY / 10}%` }} />
    </div>
  );
}
