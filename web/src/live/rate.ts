const MINUTE_MS = 60_000;
const MIN_DURATION_MS = 5_000;

/** Counts how many arrive a minute. Times are in milliseconds. */
export class Rate {
  readonly #startMs: number;
  #arrivals: { timeMs: number; count: number }[] = [];

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  add(count: number, nowMs: number): void {
    this.#arrivals.push({ timeMs: nowMs, count });
    this.#arrivals = this.#arrivals.filter(({ timeMs }) => nowMs - timeMs < MINUTE_MS);
  }

  /** Return how many arrive a minute; null as long as a guess would be worth little. */
  perMinute(nowMs: number): number | null {
    const durationMs = Math.min(nowMs - this.#startMs, MINUTE_MS);
    if (durationMs < MIN_DURATION_MS) return null;
    const total = this.#arrivals.filter(({ timeMs }) => nowMs - timeMs < MINUTE_MS).reduce((sum, { count }) => sum + count, 0);
    return Math.round((total * MINUTE_MS) / durationMs);
  }
}
