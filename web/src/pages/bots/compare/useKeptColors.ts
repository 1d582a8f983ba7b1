import { useState } from "react";
import { raceColors } from "../../../core/raceColors.ts";

/** Return the colors of bots, 1 to 8, by id. Each keeps its color while it is on the page, whatever comes and goes beside it. */
export function useKeptColors(botIds: readonly string[]): ReadonlyMap<string, number> {
  const [keptColors, setKeptColors] = useState<Readonly<Record<string, number>>>({});
  const colors = raceColors(botIds, keptColors);
  const isChanged = colors.size !== Object.keys(keptColors).length || [...colors.keys()].some((id) => !Object.hasOwn(keptColors, id));
  if (isChanged) setKeptColors(Object.fromEntries(colors));
  return colors;
}
