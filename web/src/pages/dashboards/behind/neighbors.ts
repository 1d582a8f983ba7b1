import type { Result, Spot, Widget } from "../../../api/widgets.ts";
import { isSameSpot } from "../../../scope/spotAddress.ts";
import type { NamedSpot } from "../../../widgets/definition.ts";
import { definitionOf } from "../../../widgets/registry.ts";

/** A number of an answer with those before and after it; undefined where there is none, or while the answer is unknown. */
export interface Neighbors {
  current: NamedSpot | undefined;
  previous: NamedSpot | undefined;
  next: NamedSpot | undefined;
}

/** Return a number of an answer with its neighbors. */
export function neighborsOf(answer: Result | undefined, { type, config }: Widget, spot: Spot, timezone: string): Neighbors {
  const lines = answer ? (definitionOf(type)?.spots?.(answer, config, timezone) ?? []) : [];
  for (const line of lines) {
    const index = line.findIndex((neighbor) => isSameSpot(neighbor.spot, spot));
    if (index >= 0) return { current: line[index], previous: line[index - 1], next: line[index + 1] };
  }
  return { current: undefined, previous: undefined, next: undefined };
}
