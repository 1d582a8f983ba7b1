import type { components } from "./schema.gen.ts";

export type ActorSort = "events" | "lastSeen" | "firstSeen";
export type GroupSort = Exclude<ActorSort, "firstSeen">;

/** Which rows a list of actors or groups has, and what comes first; all rows, the busiest first, unless given. */
export interface ActivityListOptions<Sort extends ActorSort = ActorSort> {
  /** Text in the name of a row. */
  q?: string | undefined;
  sort?: Sort;
  /** Only events that match all of them count. */
  filters?: components["schemas"]["Filter"][];
}

/** Return the parameters of a request for such a list; what the API would assume is left out. */
export function listParameters<Sort extends ActorSort>({ q, sort, filters = [] }: ActivityListOptions<Sort>) {
  return {
    ...(q ? { q } : {}),
    ...(sort && sort !== "events" ? { sort } : {}),
    ...(filters.length > 0 ? { filters: JSON.stringify(filters) } : {}),
  };
}
