/** Keys that mean an event's own field in filters and breakdowns. */
export const OWN_KEYS: ReadonlySet<string> = new Set(["name", "_actor", "_actorLabel", "_source"]);

/** Return the key under which filters and breakdowns find a property, whatever it is called. */
export function propertyKey(property: string): string {
  return OWN_KEYS.has(property) || property.startsWith("prop:") || property === "_group" ? `prop:${property}` : property;
}
