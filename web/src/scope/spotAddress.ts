import type { Spot } from "../api/widgets.ts";

/** The number of a dashboard whose actors are asked for, in its address: its widget, and where in the answer it is. */
export interface SpotSearch {
  who?: string;
  at?: string;
}

/** Return what an address says about a number of a widget; for the only number of a widget, `at` is absent. */
export function spotSearchOf(widgetId: string, spot: Spot): SpotSearch {
  return Object.keys(spot).length === 0 ? { who: widgetId } : { who: widgetId, at: JSON.stringify(spot) };
}

/** Return where in its answer a number is; null if the address is malformed. What the API does not know, it refuses. */
export function spotFromText(text: string | undefined): Spot | null {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value) : null;
  } catch {
    return null;
  }
}

/** Return whether two spots are the same. */
export function isSameSpot(spot: Spot, other: Spot): boolean {
  const keys = [...new Set([...Object.keys(spot), ...Object.keys(other)])] as (keyof Spot)[];
  return keys.every((key) => JSON.stringify(spot[key]) === JSON.stringify(other[key]));
}
