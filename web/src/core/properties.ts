const MAX_PROPERTIES = 3;
const MAX_LENGTH = 40;

/** Write the first few plain properties of an event in one line: `shard 14 · reason region_locked`; "" if it has none. */
export function propertiesInWords(properties: unknown, exceptKey?: string): string {
  if (typeof properties !== "object" || properties === null) return "";
  return Object.entries(properties)
    .filter(([key, value]) => key !== exceptKey && isPlain(value))
    .slice(0, MAX_PROPERTIES)
    .map(([key, value]) => `${key} ${String(value)}`)
    .join(" · ");
}

const isPlain = (value: unknown): boolean =>
  (typeof value === "string" && value !== "" && value.length <= MAX_LENGTH) || ["number", "bigint", "boolean"].includes(typeof value);
