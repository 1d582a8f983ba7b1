import type { Judge } from "../ui/Combobox/typedText.ts";

/** Return the time zones that this browser lists, UTC and the chosen one among them, in order. */
export function zonesWith(current: string): string[] {
  return [...new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")])].filter((zone) => zone !== "").toSorted();
}

/** Take other names of zones than the listed ones, such as Asia/Kolkata where the browser lists Asia/Calcutta. */
export const zoneJudge: Judge = (text) => (isZone(text) ? "taken" : { refusal: `“${text}” is not a time zone.` });

const NAME = /^[A-Z]\w*(?:\/[A-Z][\w+-]*)+$/;

function isZone(text: string): boolean {
  try {
    return NAME.test(text) && new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
