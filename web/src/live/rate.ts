const MINUTE_MS = 60_000;
const MIN_DURATION_MS = 5_000;

/** Counts how many arrive a minute. Times are in milliseconds. */
export class Rate {
  readonly #since: number;
  #arrivals: { at: number; count: number }[] = [];

  constructor(since: number) {
    this.#since = since;
  }

  add(count: number, now: number): void {
    this.#arrivals.push({ at: now, count });
    this.#arrivals = this.#arrivals.filter(({ at }) => now - at < MINUTE_MS);
  }

  /** Return how many arrive a minute; null as long as a guess would be worth little. */
  perMinute(now: number): number | null {
    const duration = Math.min(now - this.#since, MINUTE_MS);
    if (duration < MIN_DURATION_MS) return null;
    const total = this.#arrivals.filter(({ at }) => now - at < MINUTE_MS).reduce((sum, { count }) => sum + count, 0);
    return Math.round((total * MINUTE_MS) / duration);
  }
}
