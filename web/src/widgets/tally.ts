import type { LogoProps } from "../ui/Logo/Logo.tsx";

const BUNDLE_SIZE = 5;
/** More of them are a number and the bundle that is being drawn. */
const MAX_BUNDLES = 3;
/** A stroke more is drawn, a crowd is not. */
const MAX_DRAWN = 10;

/** Five strokes at most, the last of which crosses the others. */
export interface TallyBundle {
  /** Its place among all. */
  place: number;
  strokes: NonNullable<LogoProps["strokes"]>;
}

/** Return the bundles of a count, as far as they are drawn: all of a few, else the last. */
export function bundlesOf(count: number): TallyBundle[] {
  const bundleCount = Math.ceil(count / BUNDLE_SIZE);
  const bundles = Array.from({ length: Math.min(bundleCount, MAX_BUNDLES) }, (_, index) => index);
  const places = bundleCount > MAX_BUNDLES ? [bundleCount - 1] : bundles;
  return places.map((place) => ({ place, strokes: Math.min(count - place * BUNDLE_SIZE, BUNDLE_SIZE) as TallyBundle["strokes"] }));
}

/** Return the count to draw next on the way to `count`: one stroke more, or all at once if many are missing. */
export function nextDrawn(drawnCount: number, count: number): number {
  return drawnCount < count && count - drawnCount <= MAX_DRAWN ? drawnCount + 1 : count;
}
