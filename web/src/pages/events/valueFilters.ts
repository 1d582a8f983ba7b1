import type { Event } from "../../api/events.ts";
import type { Condition, Filter } from "../../scope/filters.ts";
import { propertyKey } from "../../scope/propertyKey.ts";

const MAX_ELEMENTS = 3;
/** Longer texts would make addresses that nobody can share. */
const MAX_TEXT_LENGTH = 200;

/** Return the filters that other events like this one would match: one for each of its values, its own fields first. */
export function valueFilters({ name, actorKey, source, properties }: Event): Condition[] {
  const ownFilters: Condition[] = [
    { key: "name", op: "eq", value: name },
    ...(actorKey === null ? [] : [{ key: "_actor", op: "eq" as const, value: actorKey }]),
    ...(source === null ? [] : [{ key: "_source", op: "eq" as const, value: source }]),
  ];
  const entries = typeof properties === "object" && properties !== null ? Object.entries(properties) : [];
  return [...ownFilters, ...entries.flatMap(([key, value]) => propertyFilters(propertyKey(key), value))];
}

function propertyFilters(key: string, value: unknown): Condition[] {
  // A filter compares a number with a text that reads the same.
  if (typeof value === "bigint") return [{ key, op: "eq", value: String(value) }];
  if (isFilterValue(value)) return [{ key, op: "eq", value }];
  if (!Array.isArray(value)) return [];
  return value.filter(isFilterValue).slice(0, MAX_ELEMENTS).map((element) => ({ key, op: "has", value: element }));
}

const isFilterValue = (value: unknown): value is string | number | boolean =>
  (typeof value === "string" && value.length <= MAX_TEXT_LENGTH) || typeof value === "number" || typeof value === "boolean";

/** Return filters with one more; one that is there already is not added. */
export function withFilter(filters: Filter[], condition: Condition): Filter[] {
  const text = JSON.stringify(condition);
  return filters.some((filter) => JSON.stringify(filter) === text) ? filters : [...filters, condition];
}
