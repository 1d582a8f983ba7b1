/** Return the time zones that this browser knows, UTC and the chosen one among them, in order. */
export function zonesWith(chosen: string): string[] {
  return [...new Set(["UTC", chosen, ...Intl.supportedValuesOf("timeZone")])].toSorted();
}
