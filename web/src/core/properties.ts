const MAX_PROPERTIES = 3;
const LONGEST = 40;

/** Write the first few plain properties of an event in one line: `shard 14 · reason region_locked`; "" if it has none. */
export function propertiesInWords(properties: unknown, except?: string): string {
  if (typeof properties !== "object" || properties === null) return "";
  return Object.entries(properties)
    .filter(([key, value]) => key !== except && isPlain(value))
    .slice(0, MAX_PROPERTIES)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(" · ");
}

const isPlain = (value: unknown): boolean =>
  (typeof value === "string" && value !== "" && value.length <= LONGEST) || ["number", "bigint", "boolean"].includes(typeof value);
