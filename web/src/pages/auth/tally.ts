/** A chart of tally bundles as two paths: the columns before, and the last one. */
export interface TallyChart {
  before: string;
  last: string;
  width: number;
  height: number;
}

const COLUMN = 36;
const ROW = 26;
const UPRIGHT = [8, 14, 20, 26];
const STROKE = 17;

/** Draw columns of strokes, five a bundle, from the bottom up. Each stroke leans a little, always the same way. */
export function tallyChart(counts: readonly number[]): TallyChart {
  const height = Math.ceil(Math.max(...counts) / 5) * ROW;
  const columns = counts.map((count, column) => columnPath(count, column, height));
  return { before: columns.slice(0, -1).join(""), last: columns.at(-1) ?? "", width: counts.length * COLUMN, height };
}

function columnPath(count: number, column: number, height: number): string {
  return Array.from({ length: count }, (_, index) => strokePath(index, column, height)).join("");
}

function strokePath(at: number, column: number, height: number): string {
  const left = column * COLUMN;
  const foot = height - Math.floor(at / 5) * ROW - 4;
  const lean = leanOf(column * 1_000 + at);
  const x = UPRIGHT[at % 5];
  if (x === undefined) return `M${formatOneDecimal(left + 3 + lean)} ${formatOneDecimal(foot - 3 - lean)}L${left + 31} ${formatOneDecimal(foot - 14 + lean)}`;
  return `M${formatOneDecimal(left + x + lean)} ${formatOneDecimal(foot + lean)}L${formatOneDecimal(left + x - lean)} ${formatOneDecimal(foot - STROKE + lean)}`;
}

/** A number from -0.8 to 0.8 that depends on the seed alone. */
function leanOf(seed: number): number {
  const hash = Math.imul(seed + 1, 0x9e3779b1) ^ (Math.imul(seed + 1, 0x9e3779b1) >>> 15);
  return ((hash >>> 0) / 0xffffffff) * 1.6 - 0.8;
}

const formatOneDecimal = (value: number): string => value.toFixed(1);
