import type { ReactNode } from "react";
import { HistogramBars } from "../../charts/HistogramBars.tsx";
import type { ViewProps } from "../definition.ts";
import { rangeInWords, rulesOf } from "./shape.ts";
import styles from "./View.module.css";

/** How the numbers of a property are distributed. */
export function View({ title, config, answer, onSpot }: ViewProps<"histogram">): ReactNode {
  if (answer.buckets.length === 0) return <p className={styles.empty}>No numbers in {config.property} in this range.</p>;
  const ask = onSpot && ((bucket: number) => onSpot({ bucket }, `${config.property} from ${rangeInWords(answer, bucket)}`));
  return (
    <HistogramBars
      title={title}
      buckets={answer.buckets}
      unit={config.display?.unit}
      rules={rulesOf(answer, config.display?.unit)}
      onBucket={ask}
    />
  );
}
