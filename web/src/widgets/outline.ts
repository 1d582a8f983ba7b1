/** How an answer will be drawn, as far as its config tells. */
export type Form = "number" | "numbers" | "line" | "bars" | "ranks" | "funnel" | "retention" | "histogram" | "heatmap" | "table" | "text";

/** What is known of an answer before it is there, so that nothing moves when it comes (rules/boards#nothing-moves). */
export interface Outline {
  form: Form;
  /** How many numbers, rows, steps or cohorts it has at most; 1 where it has no such parts. */
  partCount: number;
  /** Its numbers have goals, which need room below them. */
  hasGoals?: boolean;
}

/** Rows of the grid below which a form has no room for what it shows (rules/boards#cards). */
const LEAST_ROWS: Record<Form, number> = {
  number: 2, numbers: 2, text: 2, line: 3, bars: 3, ranks: 3, histogram: 3, table: 3, funnel: 4, retention: 4, heatmap: 4,
};

/** Heights in px: of each part with the gap below it, and of what is there once. */
const PART_HEIGHTS: Partial<Record<Form, { part: number; once: number }>> = {
  numbers: { part: 96, once: -12 },
  ranks: { part: 34, once: -4 },
  funnel: { part: 66, once: -28 },
  retention: { part: 26, once: 28 },
  table: { part: 38, once: 34 },
};
/** Of a goal: its bar, its words and what is between them and the number. */
export const GOAL_HEIGHT = 32;
/** So many parts are in sight; further ones are reached by scrolling. */
export const MAX_PARTS_IN_SIGHT = 10;

const ROW_HEIGHT = 65;
const ROW_GAP = 12;
/** Of a card, above and below its body. */
const FRAME_HEIGHT = 58;

/** The fields of a metric or a formula that decide how it is drawn. */
interface Measured {
  overTime?: boolean;
  breakdown?: string | null;
  limit?: number;
  rest?: string | null;
  chart?: string | null;
  display?: { chart?: string | null } | null;
}

const DEFAULT_LIMIT = 10;

/** Return the outline of a metric or a formula. */
export function measuredOutline({ overTime, breakdown, limit = DEFAULT_LIMIT, rest, chart, display }: Measured): Outline {
  if (overTime) return { form: (display?.chart ?? chart) === "bar" ? "bars" : "line", partCount: 1 };
  if (!breakdown) return { form: "number", partCount: 1 };
  return { form: "ranks", partCount: limit + (rest === "both" ? 2 : rest ? 1 : 0) };
}

/** Return the rows of the grid below which a card has no room for its answer. */
export const leastRowsOf = ({ form, hasGoals = false }: Outline): number => LEAST_ROWS[form] + (hasGoals ? 1 : 0);

/** Return the rows of the grid that a card takes: those of its layout, or as many as its form needs. */
export const rowCountOf = (outline: Outline, layoutRows: number): number => Math.max(layoutRows, leastRowsOf(outline));

/** Return how many numbers of a strip stand side by side on a phone, and in a window of up to 899 px. */
export const numbersPerLine = (partCount: number): { onPhone: number; onTablet: number } => ({
  onPhone: Math.min(partCount, 2),
  onTablet: partCount > 4 ? 3 : partCount,
});

/** Return the height in px of a card that takes the whole width of a phone, and of a window of up to 899 px. */
export function fullWidthHeights(outline: Outline, layoutRows: number): { onPhone: number; onTablet: number } {
  const { form, partCount, hasGoals = false } = outline;
  const layoutHeight = rowCountOf(outline, layoutRows) * (ROW_HEIGHT + ROW_GAP) - ROW_GAP;
  const heightOf = (lineCount: number) => Math.max(layoutHeight, heightOfParts(form, lineCount, hasGoals));
  if (form !== "numbers") return { onPhone: heightOf(partCount), onTablet: heightOf(partCount) };
  const { onPhone, onTablet } = numbersPerLine(partCount);
  return { onPhone: heightOf(Math.ceil(partCount / onPhone)), onTablet: heightOf(Math.ceil(partCount / onTablet)) };
}

function heightOfParts(form: Form, partCount: number, hasGoals: boolean): number {
  const heights = PART_HEIGHTS[form];
  if (!heights) return 0;
  const partHeight = heights.part + (hasGoals ? GOAL_HEIGHT : 0);
  return FRAME_HEIGHT + heights.once + partHeight * Math.min(partCount, MAX_PARTS_IN_SIGHT);
}
