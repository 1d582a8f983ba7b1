import type { Mark } from "./series.ts";

/** The least a pointer needs to hit a mark, and so what a diamond takes. */
const TARGET_WIDTH = 24;
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
  x: number;
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
 * @param xOfTime where a moment stands, in pixels; marks outside the plot have no place (null)
 * @param width of the plot in pixels
 */
export function clusterMarks(marks: readonly Mark[], xOfTime: (time: number) => number | null, width: number): Cluster[] {
  const groups: { marks: Mark[]; x: number }[] = [];
  for (const mark of [...marks].sort((left, right) => left.time - right.time)) {
    const x = xOfTime(mark.time);
    if (x === null) continue;
    const lastGroup = groups.at(-1);
    if (lastGroup && x - lastGroup.x < widthOfMarks(lastGroup)) lastGroup.marks.push(mark);
    else groups.push({ marks: [mark], x });
  }
  return labelGroups(groups, width);
}

/** Label from the left each one whose label covers neither its neighbours nor what is beside the plot. */
function labelGroups(groups: readonly { marks: Mark[]; x: number }[], width: number): Cluster[] {
  let freeFromX = -OVERHANG;
  return groups.map(({ marks, x }, index) => {
    const [firstMark] = marks;
    const count = countOf(marks);
    const label = count > 1 || !firstMark ? `${count} ${firstMark?.plural ?? "annotations"}` : firstMark.label;
    const diamond = diamondExtent({ marks, x });
    const nextGroup = groups[index + 1];
    const maxX = nextGroup ? diamondExtent(nextGroup).from - APART : width + OVERHANG;
    const { edge, from, to } = labelExtent(label, x, width);
    const isLabelled = count === 1 && from >= freeFromX && to <= maxX;
    freeFromX = (isLabelled ? to : diamond.to) + APART;
    return { marks, count, x, label, isLabelled, edge: isLabelled ? edge : undefined };
  });
}

const countOf = (marks: readonly Mark[]): number => marks.reduce((sum, { count = 1 }) => sum + count, 0);

/** What a diamond takes, with a count or without. */
const widthOfMarks = ({ marks }: { marks: readonly Mark[] }): number => (countOf(marks) > 1 ? COUNT_WIDTH : TARGET_WIDTH);

function diamondExtent({ marks, x }: { marks: Mark[]; x: number }): Extent {
  const halfWidth = widthOfMarks({ marks }) / 2;
  return { from: x - halfWidth, to: x + halfWidth };
}

/** What a diamond with its label takes: centered, or within the plot where that would lead out of it. */
function labelExtent(label: string, x: number, width: number): Extent & Pick<Cluster, "edge"> {
  const labelWidth = AROUND_LABEL + Array.from(label).reduce((sum, letter) => sum + letterWidth(letter), 0);
  if (x - labelWidth / 2 < 0) return { edge: "start", from: x - OVERHANG, to: x - OVERHANG + labelWidth };
  if (x + labelWidth / 2 > width) return { edge: "end", from: x + OVERHANG - labelWidth, to: x + OVERHANG };
  return { from: x - labelWidth / 2, to: x + labelWidth / 2 };
}

/** About as much as a letter of a label takes, and rather more: what is told apart must not be covered. */
function letterWidth(letter: string): number {
  if (/[iljtfrI1.,:;'|!() -]/.test(letter)) return NARROW;
  if (/[\p{Lu}mw@%&—]/u.test(letter)) return /[MW@%—]/.test(letter) ? WIDE : CAPITAL;
  return /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{Extended_Pictographic}]/u.test(letter) ? WIDE : LETTER;
}
