import type { Mark } from "./series.ts";

const NEAR = 12;
/** The room of a diamond with a count: a cluster takes up what would be covered by it. */
const COUNTED = 44;
const LETTER = 6.4;
const AROUND_LABEL = 26;
const APART = 4;

/** Marks that stand too near each other to be told apart, and whether there is room for their label. */
export interface Cluster {
  marks: Mark[];
  /** From the left end of the plot, in pixels. */
  at: number;
  /** "3 annotations" for several (or what they are called), or the label of the one. */
  label: string;
  isLabelled: boolean;
}

/**
 * Put together marks that are nearer than 12 px to the first of their cluster, or under the count of one.
 *
 * @param place where a moment stands, in pixels; marks outside the plot have no place (null)
 * @param width of the plot in pixels
 */
export function clusters(marks: readonly Mark[], place: (time: number) => number | null, width: number): Cluster[] {
  const found: { marks: Mark[]; at: number }[] = [];
  for (const mark of [...marks].sort((one, other) => one.time - other.time)) {
    const at = place(mark.time);
    if (at === null) continue;
    const last = found.at(-1);
    if (last && at - last.at < (last.marks.length > 1 ? COUNTED : NEAR)) last.marks.push(mark);
    else found.push({ marks: [mark], at });
  }
  return labelled(found, width);
}

function labelled(found: readonly { marks: Mark[]; at: number }[], width: number): Cluster[] {
  let free = -Infinity;
  return found.map(({ marks, at }, number) => {
    const [first] = marks;
    const label = marks.length > 1 || !first ? `${marks.length} ${first?.plural ?? "annotations"}` : first.label;
    const half = ((marks.length > 1 ? 1 : label.length) * LETTER + AROUND_LABEL) / 2;
    const next = found[number + 1]?.at ?? Infinity;
    const isLabelled = at - half >= free && Math.min(at + half, width) + APART <= next - NEAR / 2;
    free = isLabelled ? at + half + APART : at + NEAR / 2;
    return { marks, at, label, isLabelled };
  });
}
