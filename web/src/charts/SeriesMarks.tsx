import { memo, type ReactNode } from "react";
import { decimate } from "./decimate.ts";
import { seriesColor, seriesDashes } from "./colors.ts";
import { areaPath, barPath, layerPath, linePaths } from "./path.ts";
import type { Plot } from "./plot.ts";
import type { ChartSeries, TimeLine } from "./series.ts";
import type { Layer } from "./stack.ts";
import styles from "./TimeSeries.module.css";

export interface SeriesMarksProps {
  plot: Plot;
  line: TimeLine;
  shape: "line" | "area" | "bar";
  /** The position of each series in the legend, which rules its color. */
  positions: readonly number[];
}

const MAX_DOTS = 8;
const BAR_GAP = 3;
const WIDEST_BAR = 64;

/** The lines, areas or bars of a chart; the words around them are elsewhere. */
export const SeriesMarks = memo(function SeriesMarks({ plot, line, shape, positions }: SeriesMarksProps): ReactNode {
  const { width, height } = plot;
  const marks = line.series.map((series, index) => ({ series, number: index, position: positions[index] ?? index }));
  const Shape = shape === "bar" ? Bars : Line;
  return (
    <>
      <svg
        className={styles.marks}
        viewBox={`0 0 ${Math.max(width, 1)} ${Math.max(height, 1)}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {marks.map((mark) => mark.series.compared && <Compared key={mark.number} plot={plot} values={mark.series.compared} length={line.times.length} />)}
        {marks.map((mark) => (
          <Shape key={mark.number} plot={plot} line={line} {...mark} isArea={shape === "area"} />
        ))}
      </svg>
      {!plot.layers && marks.length <= MAX_DOTS && marks.map((mark) => <EndDot key={mark.number} plot={plot} {...mark} />)}
    </>
  );
});

interface ShapeProps {
  plot: Plot;
  line: TimeLine;
  series: ChartSeries;
  /** The position among the series that are drawn. */
  number: number;
  /** The position among all series. */
  position: number;
  isArea: boolean;
}

function partialOf(line: TimeLine): Set<number> {
  const partial = new Set<number>();
  if (line.isFirstPartial) partial.add(0);
  if (line.isLastPartial) partial.add(line.times.length - 1);
  return partial;
}

function Line({ plot, line, series, number, position, isArea }: ShapeProps): ReactNode {
  const pointPositions = decimate(series.values, plot.width, (at) => plot.x(at) / Math.max(plot.width, 1));
  const color = seriesColor(position, series.isRest);
  const layer = plot.layers?.[number];
  const values = layer ? layer.outer : series.values;
  const { solid, dotted } = linePaths(values, pointPositions, plot, partialOf(line));
  const isFilled = isArea || (line.series.length === 1 && plot.hasZero);
  return (
    <g style={{ color }}>
      {layer && <path data-layer d={layerPath(layer, pointPositions, plot)} />}
      {!layer && isFilled && <path data-area d={areaPath(values, pointPositions, plot)} />}
      <path data-line d={solid} strokeDasharray={seriesDashes(position)} />
      <path data-line data-partial d={dotted} />
    </g>
  );
}

function Compared({ plot, values, length }: { plot: Plot; values: ChartSeries["values"]; length: number }): ReactNode {
  const visibleValues = values.slice(0, length);
  const pointPositions = decimate(visibleValues, plot.width, (at) => plot.x(at) / Math.max(plot.width, 1));
  return <path data-compared d={linePaths(visibleValues, pointPositions, plot, new Set()).solid} />;
}

function Bars({ plot, line, series, number, position }: ShapeProps): ReactNode {
  const layer = plot.layers?.[number];
  if (!layer) return null;
  const partial = partialOf(line);
  const solidBars: string[] = [];
  const partialBars: string[] = [];
  layer.outer.forEach((outer, index) => {
    const bar = barAt(plot, layer, index, isOutermost(plot, number, index, outer));
    (partial.has(index) ? partialBars : solidBars).push(bar);
  });
  return (
    <g style={{ color: seriesColor(position, series.isRest) }}>
      <path data-bars d={solidBars.join("")} />
      <path data-bars data-partial d={partialBars.join("")} />
    </g>
  );
}

function barAt(plot: Plot, layer: Layer, at: number, isOuter: boolean): string {
  const [inner, outer] = [layer.inner[at] ?? 0, layer.outer[at] ?? 0];
  if (inner === outer) return "";
  const between = plot.band > BAR_GAP * 2 ? BAR_GAP : plot.band > 2 ? 1 : 0;
  const width = Math.min(Math.max(plot.band - between, Math.min(plot.band, 1)), WIDEST_BAR);
  const [from, to] = [plot.y(inner), plot.y(outer)];
  const gap = inner === 0 ? 0 : Math.sign(to - from) * Math.min(1, Math.abs(to - from) / 2);
  return barPath(plot.x(at) - width / 2, width, from + gap, to, isOuter);
}

/** Return true if no later series continues a bar on the same side of zero. */
function isOutermost(plot: Plot, number: number, at: number, outer: number): boolean {
  return (plot.layers ?? []).slice(number + 1).every((layer) => {
    const [inner = 0, end = 0] = [layer.inner[at], layer.outer[at]];
    return end === inner || inner !== outer;
  });
}

function EndDot({ plot, series, position }: { plot: Plot; series: ChartSeries; position: number }): ReactNode {
  const at = series.values.findLastIndex((value) => value !== null);
  if (at < 0) return null;
  const place = { left: `${(plot.x(at) / plot.width) * 100}%`, top: `${(plot.y(series.values[at] ?? 0) / plot.height) * 100}%` };
  return <i className={styles.dot} style={{ ...place, color: seriesColor(position, series.isRest) }} />;
}
