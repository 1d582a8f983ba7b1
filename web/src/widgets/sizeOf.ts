import type { Definition, Kind } from "./definition.ts";
import { definitionOf } from "./registry.ts";

/** Return the size that a card of a kind begins with; a kind that is newer than the app has a common one. */
export const sizeOf = (kind: string): Definition<Kind>["size"] => definitionOf(kind)?.size ?? { w: 6, h: 4 };
