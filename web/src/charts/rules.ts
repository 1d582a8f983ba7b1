/** A value marked above the bars, such as a median. */
export interface Rule {
  value: number;
  label: string;
}

/** A rule at its share of the width; its label stands over it, or on the side that has room. */
export interface PlacedRule {
  share: number;
  label: string;
  side: "before" | "middle" | "after";
}

const LETTER_WIDTH = 6.9;
const PADDING = 16;

/** Place rules in ascending order; where two labels would touch, the second says both. */
export function placeRules(rules: readonly Rule[], shareOf: (value: number) => number, width: number): PlacedRule[] {
  const placements: PlacedRule[] = [];
  for (const { value, label } of rules) {
    const share = shareOf(value);
    const previousRule = placements.at(-1);
    const isTouching =
      previousRule !== undefined && (share - previousRule.share) * width < (labelWidthOf(previousRule.label) + labelWidthOf(label)) / 2;
    const text = isTouching ? `${previousRule.label} · ${label}` : label;
    if (isTouching) previousRule.label = "";
    placements.push({ share, label: text, side: sideOf(share * width, labelWidthOf(text) / 2, width) });
  }
  return placements;
}

const labelWidthOf = (label: string): number => label.length * LETTER_WIDTH + PADDING;

function sideOf(x: number, halfWidth: number, width: number): PlacedRule["side"] {
  if (x < halfWidth) return "after";
  return x + halfWidth > width ? "before" : "middle";
}
