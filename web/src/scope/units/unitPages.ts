import type { BehindPage } from "../../api/widgets.ts";
import { countInWords } from "../../core/numbers.ts";
import type { Condition } from "../filters.ts";

/** In UTF-16 units: an address with more ids than this is too long for some servers. */
const MAX_IDS_LENGTH = 4_000;

/** Say how many actors or groups are behind a number; "Actors" before it is known. */
export function unitCountInWords(page: BehindPage | undefined): string {
  if (!page) return "Actors";
  return "actors" in page ? countInWords(page.total, "actor") : countInWords(page.total, "group");
}

/** Return the filter that names each actor of a page; null if there are more than a filter can name, and for groups. */
export function actorsFilter(page: BehindPage | undefined): Condition | null {
  if (!page || !("actors" in page) || page.actors.length < page.total || page.total === 0) return null;
  const actorKeys = page.actors.map(({ actorKey }) => actorKey);
  return actorKeys.join().length <= MAX_IDS_LENGTH ? { key: "_actor", op: "in", value: actorKeys } : null;
}
