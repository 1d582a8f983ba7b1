import type { QueryClient } from "@tanstack/react-query";
import { rankingsQuery } from "../api/bots.ts";
import { dashboardsQuery } from "../api/dashboards.ts";
import { environmentsQuery } from "../api/environments.ts";
import { firstWithEventsQuery } from "../api/events.ts";

/** Return where a member begins: at the dashboards, or, where there is nothing to see yet, at the way to a first event. */
export async function firstPagePath(client: QueryClient): Promise<"/dashboards" | "/start"> {
  const emptinessChecks = await Promise.all([hasNoDashboard(client), hasNoBot(client)]).catch(() => [false]);
  return emptinessChecks.every(Boolean) && (await hasNoEvent(client).catch(() => false)) ? "/start" : "/dashboards";
}

const hasNoDashboard = async (client: QueryClient) => (await client.query({ ...dashboardsQuery, staleTime: "static" })).length === 0;

const hasNoBot = async (client: QueryClient) => (await client.query(rankingsQuery("server_count", false, 0, 1))).totalBotCount === 0;

async function hasNoEvent(client: QueryClient): Promise<boolean> {
  const environments = await client.query({ ...environmentsQuery, staleTime: "static" });
  return (await client.query(firstWithEventsQuery(environments.map(({ name }) => name)))) === null;
}
