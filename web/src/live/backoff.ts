const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/**
 * Return how long to wait before the next attempt, in milliseconds: twice as long each time up to half a minute, and
 * never the same for all browsers of a server that comes back.
 *
 * @param failureCount how many attempts have failed in a row, from 1
 * @param chance a number from 0 to 1
 */
export function backoffMs(failureCount: number, chance: number): number {
  const longestMs = Math.min(FIRST_MS * 2 ** (failureCount - 1), LONGEST_MS);
  return longestMs / 2 + (longestMs / 2) * chance;
}
