/** The grid as Grid.module.css has it: its columns, the height of a row with its gap, and the width below which cards take all of it. */
const COLUMNS = 12;
const ROW = 77;
const NARROW = 900;
/** What stands above the cards of a dashboard, in pixels. */
const ABOVE = 150;

/** How many of the first cards of a dashboard begin in a window; a guess, made before the page is there. */
export function cardsInWindow(layouts: readonly { w: number; h: number }[], width: number, height: number): number {
  let row = 0;
  let used = 0;
  let highest = 0;
  for (const [at, { w, h }] of layouts.entries()) {
    const columns = width < NARROW ? COLUMNS : w;
    if (used + columns > COLUMNS) {
      row += highest;
      used = 0;
      highest = 0;
    }
    if (ABOVE + row * ROW >= height) return at;
    used += columns;
    highest = Math.max(highest, h);
  }
  return layouts.length;
}
