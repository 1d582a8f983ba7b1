import type { Result, Spot, Widget } from "../../api/widgets.ts";
import { isSameSpot } from "../../scope/spotAddress.ts";
import type { NamedSpot } from "../../widgets/definition.ts";
import { definitionOf } from "../../widgets/registry.ts";

export interface Neighbors {
  /** What the number is; "" where only the title says it, or while the answer is unknown. */
  words: string;
  previous: NamedSpot | undefined;
  next: NamedSpot | undefined;
}

/** Return a number of an answer in words, and those before and after it. */
export function neighborsOf(answer: Result | undefined, { type, config }: Widget, spot: Spot, timezone: string): Neighbors {
  const lines = answer ? (definitionOf(type)?.spots?.(answer, config, timezone) ?? []) : [];
  for (const line of lines) {
    const index = line.findIndex((neighbor) => isSameSpot(neighbor.spot, spot));
    if (index >= 0) return { words: line[index]?.inWords() ?? "", previous: line[index - 1], next: line[index + 1] };
  }
  return { words: "", previous: undefined, next: undefined };
}
