/** A value marked above the bars, such as a median. */
export interface Rule {
  value: number;
  label: string;
}

/** A rule at its share of the width; its label stands over it, or on the side that has room. */
export interface PlacedRule {
  at: number;
  label: string;
  side: "before" | "middle" | "after";
}

const CHARACTER = 6.9;
const PADDING = 16;

/** Place rules in ascending order; where two labels would touch, the second says both. */
export function placeRules(rules: readonly Rule[], share: (value: number) => number, width: number): PlacedRule[] {
  const placements: PlacedRule[] = [];
  for (const { value, label } of rules) {
    const at = share(value);
    const before = placements.at(-1);
    const touches = before !== undefined && (at - before.at) * width < (lengthOf(before.label) + lengthOf(label)) / 2;
    const text = touches ? `${before.label} · ${label}` : label;
    if (touches) before.label = "";
    placements.push({ at, label: text, side: sideOf(at * width, lengthOf(text) / 2, width) });
  }
  return placements;
}

const lengthOf = (label: string): number => label.length * CHARACTER + PADDING;

function sideOf(x: number, half: number, width: number): PlacedRule["side"] {
  if (x < half) return "after";
  return x + half > width ? "before" : "middle";
}
