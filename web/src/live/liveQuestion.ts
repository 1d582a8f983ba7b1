import type { EventSelection } from "../api/events.ts";

/** What a tab listens to. Another workspace is another question, even if all else is equal. */
export interface LiveQuestion extends EventSelection {
  workspaceId: string;
}

/** Return a text that two questions share only if the same events answer them. */
export function questionKey({ workspaceId, environment, name, actor, filters }: LiveQuestion): string {
  return JSON.stringify([workspaceId, environment, name ?? null, actor ?? null, filters]);
}

/** Return the path of the stream that answers a question. */
export function streamPath({ environment, name, actor, filters }: LiveQuestion): string {
  const query = new URLSearchParams({ environment });
  if (name !== undefined) query.set("name", name);
  if (actor !== undefined) query.set("actor", actor);
  if (filters.length > 0) query.set("filters", JSON.stringify(filters));
  return `/v1/events/stream?${query.toString()}`;
}
