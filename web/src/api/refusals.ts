import { GET, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

/** A request of one of the workspace's keys that was refused. */
export type Refusal = components["schemas"]["Refusal"];

/** Fetch the last refused requests of the workspace's keys, newest first. */
export async function fetchRefusals(signal?: AbortSignal): Promise<Refusal[]> {
  return (await answer(GET("/v1/events/refusals", signal ? { signal } : {}))).refusals;
}
