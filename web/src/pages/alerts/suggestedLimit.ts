import type { BackTest, Condition } from "../../api/alerts.ts";

/** Room between what is measured now and the threshold, as a part of the value. */
const ROOM = 0.5;
const DIGITS = 2;

/** Conditions whose threshold does not depend on the size of the values. */
const USUAL: Partial<Record<Condition, string>> = { rises: "100", drops: "50", anomaly: "3" };

/**
 * Return the threshold that a new alert begins with: half as much again as what is measured now, or half of it.
 *
 * @returns null while nothing is known, or if nothing is measured now.
 */
export function suggestLimit(condition: Condition, points: BackTest["points"] = []): string | null {
  const usual = USUAL[condition];
  if (usual !== undefined) return usual;
  const now = points.findLast(({ value }) => value !== null)?.value;
  if (!now || condition === "nodata") return null;
  const room = Math.abs(now) * ROOM;
  const limit = Number((condition === "below" ? now - room : now + room).toPrecision(DIGITS));
  return String(Number.isInteger(now) ? Math.ceil(limit) : limit);
}
