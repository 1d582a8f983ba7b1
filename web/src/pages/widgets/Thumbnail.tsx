import type { ReactNode } from "react";
import { rampColors, seriesColor, shadeOfCount } from "../../charts/colors.ts";
import { areaPath, linePath, type Places } from "../../charts/path.ts";
import { linearScale } from "../../charts/scale.ts";
import { extent, type Values } from "../../charts/series.ts";
import { formatShort } from "../../core/numbers.ts";
import type { Result } from "../../widgets/definition.ts";
import type { Drawing } from "../../widgets/drawings.ts";
import styles from "./Thumbnail.module.css";
import { bucketSums, lineGlimpses, numberGlimpse, rankGlimpses } from "./glimpses.ts";

export interface ThumbnailProps {
  drawing: Drawing;
  answer: Result | undefined;
}

const SIZE = 1_000;
const MAX_LINES = 8;
const MAX_BARS = 24;
const MAX_RANKS = 4;

/** What a picture looks like where the current answer has not what it needs. */
const SKETCHED_LINE: Values = [3, 4, 3.4, 5, 4.6, 6, 5.4, 7];
const SKETCHED_RANKS = [8, 6, 5, 3];
const SKETCHED_CELLS = Array.from({ length: 4 }, (_, row) => Array.from({ length: 12 }, (_, column) => (row * 5 + column * 7) % 9));

/** A small picture of an answer, drawn otherwise; a gray sketch where the answer has not what that needs. */
export function Thumbnail({ drawing, answer }: ThumbnailProps): ReactNode {
  switch (drawing) {
    case "line":
    case "area":
      return <Lines lines={lineGlimpses(answer)} isArea={drawing === "area"} />;
    case "bar":
      return <Bars lines={lineGlimpses(answer)} />;
    case "ranked":
      return <Ranks ranks={rankGlimpses(answer)} />;
    case "number":
      return <Figure value={numberGlimpse(answer)} />;
    case "heatmap":
      return <Cells cells={answer?.kind === "heatmap" ? answer.cells : null} />;
    case "table":
      return <Rows />;
  }
}

/** Return where the values of some lines are on a square, on which zero may have to be. */
function placesOf(lines: readonly Values[], hasZero: boolean): Places {
  const [least, greatest] = extent(lines) ?? [0, 1];
  const valueScale = hasZero ? linearScale(Math.min(least, 0), Math.max(greatest, 0)) : linearScale(least, greatest);
  const indexScale = linearScale(0, Math.max((lines[0] ?? []).length - 1, 1));
  return { x: (position) => indexScale(position) * SIZE, y: (value) => (1 - valueScale(value)) * SIZE };
}

function Picture({ isSketch, children }: { isSketch: boolean; children: ReactNode }) {
  return (
    <svg className={styles.picture} data-sketch={isSketch || undefined} viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none" aria-hidden="true">
      {children}
    </svg>
  );
}

function Lines({ lines, isArea }: { lines: readonly Values[] | null; isArea: boolean }) {
  const shownLines = (lines ?? [SKETCHED_LINE]).slice(0, MAX_LINES);
  const places = placesOf(shownLines, isArea);
  return (
    <Picture isSketch={lines === null}>
      {shownLines.map((values, index) => (
        <g key={index} style={{ color: seriesColor(index + 1) }}>
          {isArea && <path className={styles.area} d={areaPath(values, [...values.keys()], places)} />}
          <path className={styles.line} d={linePath(values, [...values.keys()], places)} />
        </g>
      ))}
    </Picture>
  );
}

function Bars({ lines }: { lines: readonly Values[] | null }) {
  const sums = bucketSums(lines ?? [SKETCHED_LINE]).slice(-MAX_BARS);
  const { y } = placesOf([sums], true);
  const step = SIZE / Math.max(sums.length, 1);
  return (
    <Picture isSketch={lines === null}>
      {sums.map((sum, index) => (
        <rect key={index} className={styles.bar} x={index * step} width={step * 0.8} y={Math.min(y(sum), y(0))} height={Math.abs(y(0) - y(sum))} />
      ))}
    </Picture>
  );
}

function Ranks({ ranks }: { ranks: readonly number[] | null }) {
  const shownRanks = (ranks ?? SKETCHED_RANKS).slice(0, MAX_RANKS);
  const largest = shownRanks[0] ?? 1;
  return (
    <span className={styles.ranks} data-sketch={ranks === null || undefined} aria-hidden="true">
      {shownRanks.map((value, index) => (
        <i key={index} style={{ width: `${(value / largest) * 100}%` }} />
      ))}
    </span>
  );
}

function Figure({ value }: { value: number | null }) {
  return (
    <span className={styles.figure} data-sketch={value === null || undefined} aria-hidden="true">
      {value === null ? "123" : formatShort(value)}
    </span>
  );
}

function Cells({ cells }: { cells: readonly (readonly (number | null)[])[] | null }) {
  const rows = cells ?? SKETCHED_CELLS;
  const highest = Math.max(...rows.flat().map((count) => count ?? 0));
  return (
    <span className={styles.cells} style={{ gridTemplateColumns: `repeat(${rows[0]?.length ?? 1}, 1fr)` }} data-sketch={cells === null || undefined} aria-hidden="true">
      {rows.flat().map((count, index) => (
        <i key={index} style={{ background: rampColors(shadeOfCount(count ?? 0, highest)).background }} />
      ))}
    </span>
  );
}

function Rows() {
  return (
    <span className={styles.rows} aria-hidden="true">
      {SKETCHED_RANKS.map((_, index) => (
        <i key={index} />
      ))}
    </span>
  );
}
