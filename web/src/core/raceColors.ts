import { chosenColorsOf, colorsFrom, freeColorOf, ownColorOf } from "./valueColors.ts";

/** Colors that are hardly told apart as lines beside each other, in one theme or in both: blues, browns, violets, greens. */
const ALIKE_COLORS: readonly (readonly [number, number])[] = [[1, 6], [1, 8], [6, 8], [2, 5], [3, 6], [4, 8]];

/**
 * Return the colors of bots that are drawn together, 1 to 8, by id. `keptColors` are those that they already have. A bot
 * has its own color unless one like it is taken; then it has the next that is clearly different, or else the next free one.
 * The server has the same function (bots/race_colors.py).
 */
export function raceColors(botIds: readonly string[], keptColors: Readonly<Record<string, number>> = {}): Map<string, number> {
  const distinctIds = [...new Set(botIds)].sort();
  const colors = chosenColorsOf(distinctIds, keptColors);
  for (const id of distinctIds) {
    if (!colors.has(id) && isClear(ownColorOf(id), [...colors.values()])) colors.set(id, ownColorOf(id));
  }
  for (const id of distinctIds) {
    if (!colors.has(id)) colors.set(id, replacementOf(ownColorOf(id), [...colors.values()]));
  }
  return colors;
}

const replacementOf = (ownColor: number, takenColors: readonly number[]): number =>
  colorsFrom(ownColor).find((color) => isClear(color, takenColors)) ?? freeColorOf(ownColor, takenColors);

/** Return whether a color is clearly different from all others. */
const isClear = (color: number, otherColors: readonly number[]): boolean =>
  otherColors.every((otherColor) => color !== otherColor && !areAlike(color, otherColor));

const areAlike = (left: number, right: number): boolean =>
  ALIKE_COLORS.some((pair) => pair.includes(left) && pair.includes(right));
