import type { BackTest, Condition, PastIncident, PastValues } from "../../api/alerts.ts";
import { toMilliseconds } from "../../core/time.ts";

const MINUTE_MS = 60_000;
/** So many incidents are listed, as in a back-test of the server. */
const MAX_INCIDENTS = 500;
/** Digits that every double preserves. */
const EXACT_DIGITS = 15;
/** Of a value; more than what tells it from another one with the same digits. */
const NEAR_SHARE = 1e-11;

/** Conditions that compare a value with a limit and with nothing else. */
export type LimitCondition = "above" | "below";
export const isLimitCondition = (condition: Condition): condition is LimitCondition => condition === "above" || condition === "below";

/**
 * Return the incidents that another limit would have had, without asking the server, which finds the same ones
 * (rules/alerts#preview). A minute without a value neither begins nor ends an incident.
 */
export function recount({ from, minutes }: Pick<PastValues, "from" | "minutes">, condition: LimitCondition, limit: number): Pick<BackTest, "fired" | "incidents"> {
  const fromMs = toMilliseconds(from);
  const incidents: PastIncident[] = [];
  let openIncident: PastIncident | null = null;
  let fired = 0;
  let minute = 1;
  for (const [index, value] of minutes.values.entries()) {
    const at = minute;
    minute += minutes.lengths[index] ?? 0;
    if (value === null) continue;
    const isMet = isBeyond(value, condition, limit);
    if (isMet === (openIncident !== null)) continue;
    const time = new Date(fromMs + at * MINUTE_MS).toISOString();
    if (openIncident) {
      openIncident.resolvedAt = time;
      openIncident = null;
    } else {
      openIncident = { firedAt: time, resolvedAt: null, value };
      fired += 1;
      if (fired <= MAX_INCIDENTS) incidents.push(openIncident);
    }
  }
  return { fired, incidents };
}

/** Return whether a value is on the other side of a limit; one that is exactly at it is not. */
function isBeyond(value: number, condition: LimitCondition, limit: number): boolean {
  const isNear = Math.abs(value - limit) <= NEAR_SHARE * Math.abs(value);
  if (isNear && !Number.isInteger(value) && value.toPrecision(EXACT_DIGITS) === limit.toPrecision(EXACT_DIGITS)) return false;
  return condition === "above" ? value > limit : value < limit;
}
