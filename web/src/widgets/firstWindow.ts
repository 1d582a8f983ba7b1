/** The grid as Grid.module.css has it: its columns, the height of a row with its gap, and the width below which cards take all of it. */
const COLUMNS = 12;
const ROW_HEIGHT = 77;
const NARROW_WIDTH = 900;
/** What stands above the cards of a dashboard, in pixels. */
const HEAD_HEIGHT = 150;

/** How many of the first cards of a dashboard begin in a window; a guess, made before the page is there. */
export function cardCountInWindow(layouts: readonly { w: number; h: number }[], windowWidth: number, windowHeight: number): number {
  let topRow = 0;
  let usedColumns = 0;
  let maxCardRows = 0;
  for (const [index, { w, h }] of layouts.entries()) {
    const cardColumns = windowWidth < NARROW_WIDTH ? COLUMNS : w;
    if (usedColumns + cardColumns > COLUMNS) {
      topRow += maxCardRows;
      usedColumns = 0;
      maxCardRows = 0;
    }
    if (HEAD_HEIGHT + topRow * ROW_HEIGHT >= windowHeight) return index;
    usedColumns += cardColumns;
    maxCardRows = Math.max(maxCardRows, h);
  }
  return layouts.length;
}
