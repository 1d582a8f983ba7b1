import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type GroupKey, type GroupRow, groupsQuery } from "../../api/groups.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { errorInWords } from "../../api/words.ts";
import { timeRangeInWords } from "../../scope/days.ts";
import { ElsewhereState } from "../../scope/ElsewhereState.tsx";
import { FilterBar } from "../../scope/FilterBar.tsx";
import { NoMatches, isNarrowedList } from "../../scope/NoMatches.tsx";
import { SearchField } from "../../scope/SearchField.tsx";
import { useElsewhere } from "../../scope/useElsewhere.ts";
import { useEventSelection } from "../../scope/useEventSelection.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Notices } from "../../ui/Notices/Notices.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { ActivityFoot } from "../../widgets/ActivityFoot.tsx";
import type { DataTable } from "../../widgets/definition.ts";
import styles from "./GroupList.module.css";
import { GroupTable } from "./GroupTable.tsx";

const route = getRouteApi("/member/groups");

export interface GroupListProps {
  scope: Scope;
  /** The key that the groups are by. */
  groupKind: GroupKey;
  q: string;
  timezone: string;
}

/** The groups of one key that the address asks for, page by page. */
export function GroupList(props: GroupListProps) {
  const { scope, groupKind, q } = props;
  return (
    <>
      <div className={styles.bar}>
        <SearchField label={`${groupKind.label} name`} q={q} />
        <FilterBar scope={scope} />
        <p className={styles.note}>
          grouped by <code>prop:{groupKind.propKey}</code>
        </p>
      </div>
      <GroupRows {...props} />
    </>
  );
}

function GroupRows(props: GroupListProps) {
  const { scope, groupKind, q, timezone } = props;
  const { environment, timeRange } = scope;
  const { propKey } = groupKind;
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  const { selection, isReady } = useEventSelection(scope);
  const list = { q: q || undefined, sort: sort ?? ("events" as const), filters: selection.filters };
  const groupsOptions = groupsQuery(environment, timeRange, propKey, list);
  const groupsResult = useInfiniteQuery({ ...groupsOptions, enabled: isReady, placeholderData: placeholderFor(groupsOptions.queryKey) });
  const groups = groupsResult.data?.pages.flatMap((page) => page.groups);
  const sortBy = (key: string) =>
    void navigate({ search: ({ sort: _sort, ...rest }) => (key === "lastSeen" ? { ...rest, sort: key } : rest), resetScroll: false });
  if (groupsResult.error && !groups) return <ErrorState {...errorInWords(groupsResult.error)} onRetry={() => void groupsResult.refetch()} />;
  if (!groups) return <Skeleton height={320} />;
  if (groups.length === 0) return <NoGroups {...props} />;
  const isFiltered = selection.filters.length > 0;
  const curlQuery = { environment, ...timeRange, propKey, q: list.q, sort, filters: isFiltered ? selection.filters : undefined };
  return (
    <div aria-busy={groupsResult.isPlaceholderData || undefined}>
      <Notices notices={groupsResult.data?.pages[0]?.notices} />
      <GroupTable groups={groups} groupKind={groupKind} timeRange={timeRange} sort={list.sort} onSort={sortBy} timezone={timezone} />
      <ActivityFoot
        sort={list.sort}
        isFiltered={isFiltered}
        table={tableOf(groups)}
        fileName={groupKind.label}
        request={{ path: "/v1/groups", query: curlQuery }}
        pages={groupsResult}
      />
    </div>
  );
}

function tableOf(groups: readonly GroupRow[]): DataTable {
  const columns = ["groupKey", "eventCount", "lastSeen"].map((label) => ({ label, numeric: label === "eventCount" }));
  return { columns, rows: groups.map(({ groupKey, eventCount, lastSeen }) => [groupKey, eventCount, lastSeen]) };
}

function NoGroups({ scope, groupKind, q, timezone }: GroupListProps) {
  const isNarrowed = isNarrowedList(scope, q);
  const otherEnvironment = useElsewhere(scope.environment, !isNarrowed);
  const timeRangeWords = timeRangeInWords(scope.timeRange, timezone).toLowerCase();
  if (isNarrowed) {
    return <NoMatches kindName="group" searchedPart={`${groupKind.label} name`} scope={scope} q={q} timeRangeWords={timeRangeWords} />;
  }
  if (otherEnvironment === undefined) return <Skeleton height={120} />;
  if (otherEnvironment) return <ElsewhereState kindName="group" scope={scope} elsewhere={otherEnvironment} />;
  const longerRange = "timeRange" in scope.timeRange && scope.timeRange.timeRange === "90d" ? "all" : "90d";
  return (
    <State
      title={`No groups (${timeRangeWords})`}
      detail={`No event in ${scope.environment} has text in ${groupKind.propKey} in this time range.`}
      action={
        "timeRange" in scope.timeRange && scope.timeRange.timeRange === "all" ? undefined : (
          <Button onClick={() => scope.setTimeRange({ timeRange: longerRange })}>
            Show {longerRange === "all" ? "all time" : "90 days"}
          </Button>
        )
      }
    />
  );
}
