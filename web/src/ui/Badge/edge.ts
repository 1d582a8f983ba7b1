import type { CSSProperties } from "react";

/** Return the style of an edge in a series color, 1 to 8; none without a color. */
export const edgeOf = (color: number | undefined): CSSProperties | undefined =>
  color === undefined ? undefined : { boxShadow: `0 0 0 2px var(--s${color})` };
