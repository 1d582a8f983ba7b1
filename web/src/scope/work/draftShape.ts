/** Return whether a draft has the fields of a value, each of the same type: another version of the app may have kept it. */
export function hasShapeOf(draft: unknown, value: unknown): boolean {
  if (!isRecord(value)) return typeof draft === typeof value;
  return isRecord(draft) && Object.entries(value).every(([name, field]) => Object.hasOwn(draft, name) && isAlike(draft[name], field));
}

/** A field that may be empty can have anything in the other of the two. */
const isAlike = (one: unknown, other: unknown): boolean =>
  one === null || other === null || (typeof one === typeof other && Array.isArray(one) === Array.isArray(other));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
