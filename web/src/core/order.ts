/** Return entries with one at another place; a place beyond the ends is the nearest one. */
export function moveEntry<Entry>(entries: readonly Entry[], fromIndex: number, toIndex: number): Entry[] {
  const movedEntries = entries.slice(fromIndex, fromIndex + 1);
  const otherEntries = entries.toSpliced(fromIndex, movedEntries.length);
  return otherEntries.toSpliced(Math.max(0, Math.min(toIndex, otherEntries.length)), 0, ...movedEntries);
}
