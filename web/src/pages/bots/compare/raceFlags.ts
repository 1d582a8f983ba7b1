/** A crossing at its place in a plot, in pixels from the left. */
export interface RaceFlag {
  x: number;
  label: string;
}

export interface PlacedFlag extends RaceFlag {
  /** The side of its line on which its words are. */
  side: "before" | "after";
}

/** About as wide as a letter of a label, and rather more. */
const LETTER_WIDTH = 6.4;
const GAP = 8;

/** Place the words of flags beside their lines, the latest first; those without room beside later ones are left out. */
export function placeFlags(flags: readonly RaceFlag[], plotWidth: number): PlacedFlag[] {
  const placedFlags: PlacedFlag[] = [];
  let freeEnd = plotWidth;
  for (const flag of flags.toSorted((left, right) => right.x - left.x)) {
    const width = flag.label.length * LETTER_WIDTH + GAP;
    const side = flag.x >= width ? "before" : "after";
    const [start, end] = side === "before" ? [flag.x - width, flag.x] : [flag.x, flag.x + width];
    if (end > freeEnd) continue;
    placedFlags.push({ ...flag, side });
    freeEnd = start - GAP;
  }
  return placedFlags;
}
