import type { Mark } from "./series.ts";

/** The least a pointer needs to hit a mark, and so what a diamond takes. */
const TARGET = 24;
/** The room of a diamond with a count: a cluster takes up what would be covered by it. */
const COUNT_WIDTH = 44;
const NARROW = 4.2;
const LETTER = 7;
const CAPITAL = 9.4;
const WIDE = 13;
const AROUND_LABEL = 26;
/** How far a label at an edge reaches beyond its mark. */
const OVERHANG = 6;
const APART = 4;

/** Marks that stand too near each other to be told apart, and whether there is room for their label. */
export interface Cluster {
  marks: Mark[];
  /** How many things the marks stand for. */
  count: number;
  /** From the left end of the plot, in pixels. */
  at: number;
  /** "3 annotations" for several (or what they are called), or the label of the one. */
  label: string;
  isLabelled: boolean;
  /** The edge of the plot beside which its label stands; absent where it is centered. */
  edge?: "start" | "end" | undefined;
}

interface Extent {
  from: number;
  to: number;
}

/**
 * Put together marks that are nearer than 24 px to the first of their cluster, or under the count of one.
 *
 * @param place where a moment stands, in pixels; marks outside the plot have no place (null)
 * @param width of the plot in pixels
 */
export function clusterMarks(marks: readonly Mark[], place: (time: number) => number | null, width: number): Cluster[] {
  const groups: { marks: Mark[]; at: number }[] = [];
  for (const mark of [...marks].sort((one, other) => one.time - other.time)) {
    const at = place(mark.time);
    if (at === null) continue;
    const last = groups.at(-1);
    if (last && at - last.at < roomOf(last)) last.marks.push(mark);
    else groups.push({ marks: [mark], at });
  }
  return labelGroups(groups, width);
}

/** Label from the left each one whose label covers neither its neighbours nor what is beside the plot. */
function labelGroups(groups: readonly { marks: Mark[]; at: number }[], width: number): Cluster[] {
  let free = -OVERHANG;
  return groups.map(({ marks, at }, index) => {
    const [first] = marks;
    const count = countOf(marks);
    const label = count > 1 || !first ? `${count} ${first?.plural ?? "annotations"}` : first.label;
    const own = diamondExtent({ marks, at });
    const next = groups[index + 1];
    const end = next ? diamondExtent(next).from - APART : width + OVERHANG;
    const { edge, from, to } = labelExtent(label, at, width);
    const isLabelled = count === 1 && from >= free && to <= end;
    free = (isLabelled ? to : own.to) + APART;
    return { marks, count, at, label, isLabelled, edge: isLabelled ? edge : undefined };
  });
}

const countOf = (marks: readonly Mark[]): number => marks.reduce((sum, { count = 1 }) => sum + count, 0);

/** What a diamond takes, with a count or without. */
const roomOf = ({ marks }: { marks: readonly Mark[] }): number => (countOf(marks) > 1 ? COUNT_WIDTH : TARGET);

function diamondExtent({ marks, at }: { marks: Mark[]; at: number }): Extent {
  const half = roomOf({ marks }) / 2;
  return { from: at - half, to: at + half };
}

/** What a diamond with its label takes: centered, or within the plot where that would lead out of it. */
function labelExtent(label: string, at: number, width: number): Extent & Pick<Cluster, "edge"> {
  const room = AROUND_LABEL + Array.from(label).reduce((sum, letter) => sum + widthOf(letter), 0);
  if (at - room / 2 < 0) return { edge: "start", from: at - OVERHANG, to: at - OVERHANG + room };
  if (at + room / 2 > width) return { edge: "end", from: at + OVERHANG - room, to: at + OVERHANG };
  return { from: at - room / 2, to: at + room / 2 };
}

/** About as much as a letter of a label takes, and rather more: what is told apart must not be covered. */
function widthOf(letter: string): number {
  if (/[iljtfrI1.,:;'|!() -]/.test(letter)) return NARROW;
  if (/[\p{Lu}mw@%&—]/u.test(letter)) return /[MW@%—]/.test(letter) ? WIDE : CAPITAL;
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}]/u.test(letter) ? WIDE : LETTER;
}
