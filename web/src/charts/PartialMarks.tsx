import type { ReactNode } from "react";
import { seriesColor } from "./colors.ts";
import styles from "./PartialMarks.module.css";
import type { Plot } from "./plot.ts";
import type { TimeLine } from "./series.ts";
import { placeSoFar } from "./soFar.ts";

export interface PartialMarksProps {
  plot: Plot;
  line: TimeLine;
  shape: "line" | "area" | "bar";
}

/** What stands for buckets that are cut or not over: rings apart from the lines, and "so far" beside the current one. */
export function PartialMarks({ plot, line, shape }: PartialMarksProps): ReactNode {
  const place = placeSoFar(line, plot, shape);
  return (
    <>
      {shape !== "bar" && line.series.map((_, index) => <Rings key={index} plot={plot} line={line} index={index} />)}
      {place && (
        <span className={styles.word} aria-hidden="true" style={place}>
          so far
        </span>
      )}
    </>
  );
}

interface RingsProps extends Pick<PartialMarksProps, "plot" | "line"> {
  /** The position among the series that are drawn. */
  index: number;
}

function Rings({ plot, line, index }: RingsProps): ReactNode {
  const series = line.series[index];
  if (!series) return null;
  return [...(line.partialBuckets ?? [])].map((bucket) => {
    const value = series.values[bucket] ?? null;
    if (value === null) return null;
    const y = plot.y(plot.layers?.[index]?.outer[bucket] ?? value);
    const place = { left: `${(plot.x(bucket) / plot.width) * 100}%`, top: `${(y / plot.height) * 100}%` };
    return <i key={bucket} className={styles.ring} data-partial style={{ ...place, color: seriesColor(series.color) }} />;
  });
}
