/** Move labels apart, the topmost first, so that each has `rowHeight` pixels, and none leaves the plot by more than half of that. */
export function spreadLabels<LineEnd extends { y: number }>(lineEnds: readonly LineEnd[], height: number, rowHeight: number): LineEnd[] {
  let minY = -rowHeight / 2;
  const pushedDown = lineEnds.map((lineEnd) => {
    const y = Math.max(lineEnd.y, minY);
    minY = y + rowHeight;
    return { ...lineEnd, y };
  });
  let maxY = height + rowHeight / 2;
  return pushedDown.reverse().map((lineEnd) => {
    const y = Math.min(lineEnd.y, maxY);
    maxY = y - rowHeight;
    return { ...lineEnd, y };
  });
}
