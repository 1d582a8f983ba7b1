/**
 * A race of bots: how much each grew, how far it is from the leader, and who passed whom.
 *
 * The server has the same functions (bots/race.py); fixtures/bots/race.json holds both.
 */

export const RACE_VIEWS = ["value", "growth", "gap"] as const;
export type RaceView = (typeof RACE_VIEWS)[number];

/** The values of a bot at the moments that all lines of a race share; null where nothing is known. */
export type RaceLine = readonly (number | null)[];

export interface Growth {
  /** The position of the moment at which all lines begin; null without one. */
  baseBucket: number | null;
  /** In percent. */
  lines: RaceLine[];
}

export interface Gap {
  /** The position of the line with the highest last value; null if no last value is known. */
  leader: number | null;
  lines: RaceLine[];
}

/** The last time that a line passed another: it was behind before this bucket, and never since. */
export interface Crossing {
  bucket: number;
  passer: number;
  passed: number;
}

/**
 * Return how much each line grew since the first moment at which all are above zero. A line that is never above zero has
 * no growth, and the others do not wait for it.
 */
export function growthOf(lines: readonly RaceLine[]): Growth {
  const growingLines = lines.filter((line) => line.some(isAboveZero));
  const buckets = growingLines[0]?.keys() ?? [];
  const baseBucket = [...buckets].find((bucket) => growingLines.every((line) => isAboveZero(line[bucket] ?? null))) ?? null;
  return { baseBucket, lines: lines.map((line) => growLine(line, baseBucket)) };
}

const isAboveZero = (value: number | null): boolean => value !== null && value > 0;

function growLine(line: RaceLine, baseBucket: number | null): RaceLine {
  const base = baseBucket === null ? null : (line[baseBucket] ?? null);
  if (baseBucket === null || base === null || base === 0) return line.map(() => null);
  return line.map((value, bucket) => (value === null || bucket < baseBucket ? null : ((value - base) / base) * 100));
}

/** Return how far each line is from the one that leads now; of equal leaders, the first counts. */
export function gapOf(lines: readonly RaceLine[]): Gap {
  const lastValues = lines.map((line) => line.at(-1) ?? null);
  const highestValue = Math.max(...lastValues.filter((value) => value !== null));
  const leader = lastValues.indexOf(highestValue);
  const leadingLine = lines[leader];
  if (!leadingLine) return { leader: null, lines: lines.map((line) => line.map(() => null)) };
  return { leader, lines: lines.map((line) => line.map((value, bucket) => subtract(value, leadingLine[bucket] ?? null))) };
}

const subtract = (value: number | null, leadingValue: number | null): number | null =>
  value === null || leadingValue === null ? null : value - leadingValue;

/** Return the last crossing of each pair of lines, in the order of time; pairs that never cross have none. */
export function crossingsOf(lines: readonly RaceLine[]): Crossing[] {
  const crossings = lines.flatMap((_, first) =>
    lines.slice(first + 1).flatMap((_, offset) => lastCrossingOf(lines, first, first + 1 + offset) ?? []),
  );
  return crossings.sort((left, right) => left.bucket - right.bucket || left.passer - right.passer || left.passed - right.passed);
}

function lastCrossingOf(lines: readonly RaceLine[], first: number, second: number): Crossing | null {
  let crossing: Crossing | null = null;
  let previousLeader: number | null = null;
  lines[first]?.forEach((value, bucket) => {
    const otherValue = lines[second]?.[bucket] ?? null;
    if (value === null || otherValue === null || value === otherValue) return;
    const [passer, passed] = value > otherValue ? [first, second] : [second, first];
    if (previousLeader === passed) crossing = { bucket, passer, passed };
    previousLeader = passer;
  });
  return crossing;
}
