import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ActorRow, actorsQuery } from "../../api/actors.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { useListOptions } from "../../scope/useListOptions.ts";
import type { Scope } from "../../scope/useScope.ts";
import { ActivityList } from "../../widgets/ActivityList.tsx";
import type { DataTable } from "../../widgets/definition.ts";
import { ActorTable } from "./ActorTable.tsx";
import { NoActors } from "./NoActors.tsx";

const route = getRouteApi("/member/actors");

/** The actors that the address asks for, page by page. */
export function ActorList({ scope, q, timezone }: { scope: Scope; q: string; timezone: string }) {
  const { environment, timeRange } = scope;
  const { list, isReady, sortBy } = useListOptions(scope, route.useSearch());
  const query = actorsQuery(environment, timeRange, list);
  const result = useInfiniteQuery({ ...query, enabled: isReady, placeholderData: placeholderFor(query.queryKey) });
  return (
    <ActivityList
      result={result}
      rowsOf={({ actors }) => actors}
      renderTable={(actors) => <ActorTable actors={actors} events={{ environment, timeRange, filters: list.filters, key: "_actor" }} sort={list.sort} onSort={sortBy} timezone={timezone} />}
      empty={<NoActors scope={scope} q={q} timezone={timezone} />}
      csvOf={csvOf}
      fileName="actors"
      list={list}
      request={{ path: "/v1/actors", query: { environment, ...timeRange } }}
    />
  );
}

function csvOf(actors: readonly ActorRow[]): DataTable {
  const columns = ["actorKey", "label", "eventCount", "firstSeen", "lastSeen"].map((label) => ({ label, numeric: label === "eventCount" }));
  const rows = actors.map(({ actorKey, label, eventCount, firstSeen, lastSeen }) => [actorKey, label, eventCount, firstSeen, lastSeen]);
  return { columns, rows };
}
