/** How many colors series have; what is left over is grey. */
export const COLOR_COUNT = 8;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const utf8 = new TextEncoder();

/**
 * Return the color of each value, 1 to 8, which is the same wherever the value is drawn; `chosenColors` may also have
 * other values. The server has the same function (core/value_colors.py).
 */
export function assignColors(values: readonly string[], chosenColors: Readonly<Record<string, number>> = {}): Map<string, number> {
  const distinctValues = [...new Set(values)].sort(byCodePoints);
  const colors = chosenColorsOf(distinctValues, chosenColors);
  for (const value of distinctValues) {
    if (!colors.has(value)) colors.set(value, freeColorOf(ownColorOf(value), [...colors.values()]));
  }
  return colors;
}

/** Return the colors that values already have. */
export function chosenColorsOf(values: readonly string[], chosenColors: Readonly<Record<string, number>>): Map<string, number> {
  return new Map(values.filter((value) => Object.hasOwn(chosenColors, value)).map((value) => [value, chosenColors[value] ?? 1]));
}

/** Return the color that a value has where no other takes it. */
export const ownColorOf = (value: string): number => (hashOf(value) % COLOR_COUNT) + 1;

/** Return the first color from a value's own one on that is not taken; its own one if all are. */
export const freeColorOf = (ownColor: number, takenColors: readonly number[]): number =>
  colorsFrom(ownColor).find((color) => !takenColors.includes(color)) ?? ownColor;

/** Return all colors in their order, beginning with one of them. */
export const colorsFrom = (firstColor: number): number[] =>
  Array.from({ length: COLOR_COUNT }, (_, step) => ((firstColor - 1 + step) % COLOR_COUNT) + 1);

/** Return the 32-bit FNV-1a hash of a text as UTF-8, with its upper half folded into the lower one. */
function hashOf(value: string): number {
  let hash = FNV_OFFSET;
  for (const byte of utf8.encode(value)) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Compare different texts by code points, in which UTF-8 agrees and UTF-16, the order of JavaScript, does not. */
const byCodePoints = (left: string, right: string): number => (codePointsOf(left) < codePointsOf(right) ? -1 : 1);

/** Write a text as its code points, each with four digits to base 36. */
const codePointsOf = (text: string): string => Array.from(text, (letter) => (letter.codePointAt(0) ?? 0).toString(36).padStart(4)).join("");
