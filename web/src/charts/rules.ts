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
    const isTouching = previousRule !== undefined && endOf(previousRule, width) > startOf(placed(share, label, width), width);
    const text = isTouching ? `${previousRule.label} · ${label}` : label;
    if (isTouching) previousRule.label = "";
    placements.push(placed(share, text, width));
  }
  return placements;
}

const labelWidthOf = (label: string): number => label.length * LETTER_WIDTH + PADDING;

function placed(share: number, label: string, width: number): PlacedRule {
  const [x, halfWidth] = [share * width, labelWidthOf(label) / 2];
  const side = x < halfWidth ? "after" : x + halfWidth > width ? "before" : "middle";
  return { share, label, side };
}

/** So much of its own width, a label begins before its rule. */
const SHARE_BEFORE = { before: 1, middle: 0.5, after: 0 };

const startOf = ({ share, label, side }: PlacedRule, width: number): number => share * width - labelWidthOf(label) * SHARE_BEFORE[side];
const endOf = (rule: PlacedRule, width: number): number => startOf(rule, width) + labelWidthOf(rule.label);
