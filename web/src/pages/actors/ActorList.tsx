import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ActorRow, actorsQuery } from "../../api/actors.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { errorInWords } from "../../api/words.ts";
import { useEventSelection } from "../../scope/useEventSelection.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Notices } from "../../ui/Notices/Notices.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ActivityFoot } from "../../widgets/ActivityFoot.tsx";
import type { DataTable } from "../../widgets/definition.ts";
import { ActorTable } from "./ActorTable.tsx";
import { NoActors } from "./NoActors.tsx";

const route = getRouteApi("/member/actors");

/** The actors that the address asks for, page by page. */
export function ActorList({ scope, q, timezone }: { scope: Scope; q: string; timezone: string }) {
  const { environment, timeRange } = scope;
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  const { selection, isReady } = useEventSelection(scope);
  const list = { q: q || undefined, sort: sort ?? ("events" as const), filters: selection.filters };
  const actorsOptions = actorsQuery(environment, timeRange, list);
  const actorsResult = useInfiniteQuery({ ...actorsOptions, enabled: isReady, placeholderData: placeholderFor(actorsOptions.queryKey) });
  const actors = actorsResult.data?.pages.flatMap((page) => page.actors);
  const sortBy = (key: string) =>
    void navigate({ search: ({ sort: _sort, ...rest }) => (key === "lastSeen" || key === "firstSeen" ? { ...rest, sort: key } : rest), resetScroll: false });
  if (actorsResult.error && !actors) return <ErrorState {...errorInWords(actorsResult.error)} onRetry={() => void actorsResult.refetch()} />;
  if (!actors) return <Skeleton height={320} />;
  if (actors.length === 0) return <NoActors scope={scope} q={q} timezone={timezone} />;
  const isFiltered = selection.filters.length > 0;
  const curlQuery = { environment, ...timeRange, q: list.q, sort, filters: isFiltered ? selection.filters : undefined };
  return (
    <div aria-busy={actorsResult.isPlaceholderData || undefined}>
      <Notices notices={actorsResult.data?.pages[0]?.notices} />
      <ActorTable actors={actors} timeRange={timeRange} sort={list.sort} onSort={sortBy} timezone={timezone} />
      <ActivityFoot
        sort={list.sort}
        isFiltered={isFiltered}
        table={tableOf(actors)}
        fileName="actors"
        request={{ path: "/v1/actors", query: curlQuery }}
        pages={actorsResult}
      />
    </div>
  );
}

function tableOf(actors: readonly ActorRow[]): DataTable {
  const columns = ["actorKey", "label", "eventCount", "firstSeen", "lastSeen"].map((label) => ({ label, numeric: label === "eventCount" }));
  const rows = actors.map(({ actorKey, label, eventCount, firstSeen, lastSeen }) => [actorKey, label, eventCount, firstSeen, lastSeen]);
  return { columns, rows };
}
