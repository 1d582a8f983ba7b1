/** A crossing at its place in a plot, in pixels from the left. */
export interface RaceFlag {
  x: number;
  label: string;
}

export interface PlacedFlag extends RaceFlag {
  /** The side of its line on which its words are. */
  side: "before" | "after";
  /** The row of its words, from the plot upwards. */
  row: number;
}

interface Span {
  start: number;
  end: number;
}

/** Rows above the plot. */
const ROWS = [0, 1];
/** About as wide as a letter of a label, and rather more. */
const LETTER_WIDTH = 6.4;
const GAP = 8;

/** Place the words of flags beside their lines. Of too many, the earliest are left out. */
export function placeFlags(flags: readonly RaceFlag[], plotWidth: number): PlacedFlag[] {
  const sortedFlags = flags.toSorted((left, right) => left.x - right.x);
  for (let firstIndex = 0; firstIndex < sortedFlags.length; firstIndex += 1) {
    const placedFlags = placeAll(sortedFlags.slice(firstIndex), plotWidth);
    if (placedFlags) return placedFlags;
  }
  return [];
}

/** Return all flags with their rows; null if one has no room. */
function placeAll(flags: readonly RaceFlag[], plotWidth: number): PlacedFlag[] | null {
  const placedFlags: PlacedFlag[] = [];
  for (const { x, label } of flags) {
    const side = x >= widthOf(label) ? "before" : "after";
    const row = ROWS.find((candidate) => hasRoom({ x, label, side, row: candidate }, placedFlags));
    if (row === undefined || spanOf({ x, label, side, row }).end > plotWidth) return null;
    placedFlags.push({ x, label, side, row });
  }
  return placedFlags;
}

/** Return whether neither words nor lines of a flag meet those of earlier ones; a line begins at the row of its words. */
function hasRoom(flag: PlacedFlag, earlierFlags: readonly PlacedFlag[]): boolean {
  const { start } = spanOf(flag);
  return earlierFlags.every((earlier) => {
    const { end } = spanOf(earlier);
    const isLineFree = earlier.row > flag.row || end <= flag.x;
    const areWordsFree = earlier.row < flag.row || (earlier.row === flag.row ? end : earlier.x) + GAP <= start;
    return isLineFree && areWordsFree;
  });
}

const widthOf = (label: string): number => label.length * LETTER_WIDTH + GAP;

const spanOf = ({ x, label, side }: PlacedFlag): Span =>
  side === "before" ? { start: x - widthOf(label), end: x } : { start: x, end: x + widthOf(label) };
