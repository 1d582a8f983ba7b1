import { ApiError } from "./errors.ts";

/**
 * Return the entry of a list that has an id.
 *
 * @throws ApiError 404 when the list does not have it any more.
 */
export function entryWithId<Entry extends { id: string }>(entries: readonly Entry[], id: string): Entry {
  const entry = entries.find((candidate) => candidate.id === id);
  if (!entry) throw new ApiError(404, { error: "not_found", message: "Someone has deleted it meanwhile." });
  return entry;
}
