/** A day, in milliseconds. */
export const DAY_MS = 86_400_000;

/** Return how many days it is until a moment, the begun one counted. */
export function daysUntil(targetMs: number, now: number): number {
  return Math.max(0, Math.ceil((targetMs - now) / DAY_MS));
}
