import { memo, type ReactNode } from "react";
import { decimate } from "./decimate.ts";
import { seriesColor, seriesDashes } from "./colors.ts";
import { areaPath, barPath, layerPath, linePath } from "./path.ts";
import type { Plot } from "./plot.ts";
import { type ChartSeries, type TimeLine, wholeValuesOf } from "./series.ts";
import type { Layer } from "./stack.ts";
import styles from "./TimeSeries.module.css";

export interface SeriesMarksProps {
  plot: Plot;
  line: TimeLine;
  shape: "line" | "area" | "bar";
  /** How many series the chart has, with those that are hidden. */
  seriesCount: number;
}

const MAX_DOTS = 8;
const BAR_GAP = 3;
const WIDEST_BAR = 64;
/** In pixels, so that every value but zero is visible. */
const MIN_BAR_HEIGHT = 1;

/** The lines, areas or bars of a chart; the words around them are elsewhere. */
export const SeriesMarks = memo(function SeriesMarks({ plot, line, shape, seriesCount }: SeriesMarksProps): ReactNode {
  const { width, height } = plot;
  const marks = line.series.map((series, index) => ({ series, drawnIndex: index }));
  const Shape = shape === "bar" ? Bars : Line;
  return (
    <>
      <svg
        className={styles.marks}
        viewBox={`0 0 ${Math.max(width, 1)} ${Math.max(height, 1)}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {marks.map(
          ({ series: { compared }, drawnIndex }) => compared && <Compared key={drawnIndex} plot={plot} line={line} values={compared} />,
        )}
        {marks.map((mark) => (
          <Shape key={mark.drawnIndex} plot={plot} line={line} {...mark} seriesCount={seriesCount} isArea={shape === "area"} />
        ))}
      </svg>
      {!plot.layers && marks.length <= MAX_DOTS && marks.map((mark) => <EndDot key={mark.drawnIndex} plot={plot} line={line} {...mark} />)}
    </>
  );
});

interface ShapeProps {
  plot: Plot;
  line: TimeLine;
  series: ChartSeries;
  /** The position among the series that are drawn. */
  drawnIndex: number;
  seriesCount: number;
  isArea: boolean;
}

/** A line of whole buckets; a part of one would look like a fall, and is marked apart (`PartialMarks`). */
function Line({ plot, line, series, drawnIndex, seriesCount, isArea }: ShapeProps): ReactNode {
  const layer = plot.layers?.[drawnIndex];
  const values = wholeValuesOf(layer ? layer.outer : series.values, line.partialBuckets);
  const pointPositions = decimate(values, plot.width, (bucket) => plot.x(bucket) / Math.max(plot.width, 1));
  const isFilled = isArea || (line.series.length === 1 && plot.hasZero);
  return (
    <g style={{ color: seriesColor(series.color) }}>
      {layer && <path data-layer d={layerPath(values, layer.inner, pointPositions, plot)} />}
      {!layer && isFilled && <path data-area d={areaPath(values, pointPositions, plot)} />}
      <path data-line d={linePath(values, pointPositions, plot)} strokeDasharray={seriesDashes(series.color, seriesCount)} />
    </g>
  );
}

function Compared({ plot, line, values }: { plot: Plot; line: TimeLine; values: ChartSeries["values"] }): ReactNode {
  const wholeValues = wholeValuesOf(values, line.comparedPartialBuckets).slice(0, line.times.length);
  const pointPositions = decimate(wholeValues, plot.width, (bucket) => plot.x(bucket) / Math.max(plot.width, 1));
  return <path data-compared d={linePath(wholeValues, pointPositions, plot)} />;
}

function Bars({ plot, line, series, drawnIndex }: ShapeProps): ReactNode {
  const layer = plot.layers?.[drawnIndex];
  if (!layer) return null;
  const solidBars: string[] = [];
  const partialBars: string[] = [];
  layer.outer.forEach((outerValue, bucket) => {
    const bar = barAt(plot, layer, bucket, isOutermost(plot, drawnIndex, bucket, outerValue));
    (line.partialBuckets?.has(bucket) ? partialBars : solidBars).push(bar);
  });
  return (
    <g style={{ color: seriesColor(series.color) }}>
      <path data-bars d={solidBars.join("")} />
      <path data-bars data-partial d={partialBars.join("")} />
    </g>
  );
}

function barAt(plot: Plot, layer: Layer, bucket: number, isOuter: boolean): string {
  const [inner, outer] = [layer.inner[bucket] ?? 0, layer.outer[bucket] ?? null];
  if (outer === null || inner === outer) return "";
  const barGap = plot.bandWidth > BAR_GAP * 2 ? BAR_GAP : plot.bandWidth > 2 ? 1 : 0;
  const width = Math.min(Math.max(plot.bandWidth - barGap, Math.min(plot.bandWidth, 1)), WIDEST_BAR);
  const height = Math.max(Math.abs(plot.y(outer) - plot.y(inner)), MIN_BAR_HEIGHT);
  const direction = outer > inner ? -1 : 1;
  const stackGap = inner === 0 ? 0 : Math.min(1, height / 2);
  const innerY = plot.y(inner);
  return barPath(plot.x(bucket) - width / 2, width, innerY + direction * stackGap, innerY + direction * height, isOuter);
}

/** Return true if no later series continues a bar on the same side of zero. */
function isOutermost(plot: Plot, drawnIndex: number, bucket: number, outerValue: number | null): boolean {
  return (plot.layers ?? []).slice(drawnIndex + 1).every((layer) => {
    const [inner = 0, outerEnd = null] = [layer.inner[bucket], layer.outer[bucket]];
    return outerEnd === null || outerEnd === inner || inner !== outerValue;
  });
}

function EndDot({ plot, line, series }: { plot: Plot; line: TimeLine; series: ChartSeries }): ReactNode {
  const lastBucket = wholeValuesOf(series.values, line.partialBuckets).findLastIndex((value) => value !== null);
  if (lastBucket < 0) return null;
  const placement = {
    left: `${(plot.x(lastBucket) / plot.width) * 100}%`,
    top: `${(plot.y(series.values[lastBucket] ?? 0) / plot.height) * 100}%`,
  };
  return <i className={styles.dot} style={{ ...placement, color: seriesColor(series.color) }} />;
}
