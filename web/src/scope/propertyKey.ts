/** An event's own fields in filters and breakdowns: their keys, each with a muted word. */
export const OWN_FIELDS = [
  { value: "_actor", detail: "actor" },
  { value: "_actorLabel", detail: "actor's name" },
  { value: "name", detail: "event" },
  { value: "_source", detail: "source" },
] as const;

/** Keys that mean an event's own field. */
export const OWN_KEYS: ReadonlySet<string> = new Set(OWN_FIELDS.map(({ value }) => value));

/** Return the key under which filters and breakdowns find a property, whatever it is called. */
export function propertyKey(property: string): string {
  return OWN_KEYS.has(property) || property.startsWith("prop:") || property === "_group" ? `prop:${property}` : property;
}
