/** About as wide as a semi-bold letter or digit of a label, and rather more. */
const LETTER_WIDTH = 7.4;
/** Between the end of a line and its label, and after the label. */
const MARGINS = 18;
const MAX_WIDTH = 164;

/** Return the room that labels need right of a plot, in pixels; longer names are cut. */
export function labelsWidthOf(labels: readonly { name: string; value: string }[]): number {
  const letterCounts = labels.map(({ name, value }) => name.length + 1 + value.length);
  return Math.min(MAX_WIDTH, Math.ceil(Math.max(0, ...letterCounts) * LETTER_WIDTH) + MARGINS);
}
