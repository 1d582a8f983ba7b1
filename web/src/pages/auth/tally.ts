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
  return Array.from({ length: count }, (_, at) => strokePath(at, column, height)).join("");
}

function strokePath(at: number, column: number, height: number): string {
  const left = column * COLUMN;
  const foot = height - Math.floor(at / 5) * ROW - 4;
  const lean = leaning(column * 1_000 + at);
  const x = UPRIGHT[at % 5];
  if (x === undefined) return `M${oneDecimal(left + 3 + lean)} ${oneDecimal(foot - 3 - lean)}L${left + 31} ${oneDecimal(foot - 14 + lean)}`;
  return `M${oneDecimal(left + x + lean)} ${oneDecimal(foot + lean)}L${oneDecimal(left + x - lean)} ${oneDecimal(foot - STROKE + lean)}`;
}

/** A number from -0.8 to 0.8 that depends on the seed alone. */
function leaning(seed: number): number {
  const hash = Math.imul(seed + 1, 0x9e3779b1) ^ (Math.imul(seed + 1, 0x9e3779b1) >>> 15);
  return ((hash >>> 0) / 0xffffffff) * 1.6 - 0.8;
}

const oneDecimal = (value: number): string => value.toFixed(1);
