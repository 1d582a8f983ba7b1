/** A chart of tally bundles as two paths: the columns before, and the last one. */
export interface TallyChart {
  earlierPath: string;
  lastPath: string;
  width: number;
  height: number;
}

const COLUMN_WIDTH = 36;
const ROW_HEIGHT = 26;
const UPRIGHT_XS = [8, 14, 20, 26];
const STROKE_HEIGHT = 17;

/** Draw columns of strokes, five a bundle, from the bottom up. Each stroke leans a little, always the same way. */
export function tallyChart(counts: readonly number[]): TallyChart {
  const height = Math.ceil(Math.max(...counts) / 5) * ROW_HEIGHT;
  const columnPaths = counts.map((count, columnIndex) => columnPath(count, columnIndex, height));
  return {
    earlierPath: columnPaths.slice(0, -1).join(""),
    lastPath: columnPaths.at(-1) ?? "",
    width: counts.length * COLUMN_WIDTH,
    height,
  };
}

function columnPath(count: number, columnIndex: number, height: number): string {
  return Array.from({ length: count }, (_, strokeIndex) => strokePath(strokeIndex, columnIndex, height)).join("");
}

function strokePath(strokeIndex: number, columnIndex: number, height: number): string {
  const leftX = columnIndex * COLUMN_WIDTH;
  const footY = height - Math.floor(strokeIndex / 5) * ROW_HEIGHT - 4;
  const leanOffset = leanOf(columnIndex * 1_000 + strokeIndex);
  const x = UPRIGHT_XS[strokeIndex % 5];
  if (x === undefined) return `M${formatOneDecimal(leftX + 3 + leanOffset)} ${formatOneDecimal(footY - 3 - leanOffset)}L${leftX + 31} ${formatOneDecimal(footY - 14 + leanOffset)}`;
  return `M${formatOneDecimal(leftX + x + leanOffset)} ${formatOneDecimal(footY + leanOffset)}L${formatOneDecimal(leftX + x - leanOffset)} ${formatOneDecimal(footY - STROKE_HEIGHT + leanOffset)}`;
}

/** A number from -0.8 to 0.8 that depends on the seed alone. */
function leanOf(seed: number): number {
  const hash = Math.imul(seed + 1, 0x9e3779b1) ^ (Math.imul(seed + 1, 0x9e3779b1) >>> 15);
  return ((hash >>> 0) / 0xffffffff) * 1.6 - 0.8;
}

const formatOneDecimal = (value: number): string => value.toFixed(1);
