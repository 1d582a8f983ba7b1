import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type GroupKey, type ListedGroup, groupsQuery } from "../../api/groups.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { timeRangeInWords } from "../../scope/days.ts";
import { ElsewhereState } from "../../scope/ElsewhereState.tsx";
import { FilterBar } from "../../scope/FilterBar.tsx";
import { NoMatches, isNarrowedList } from "../../scope/NoMatches.tsx";
import { propertyKey } from "../../scope/propertyKey.ts";
import { SearchField } from "../../scope/SearchField.tsx";
import { useElsewhere } from "../../scope/useElsewhere.ts";
import { useListOptions } from "../../scope/useListOptions.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { State } from "../../ui/States/State.tsx";
import { ActivityList } from "../../widgets/ActivityList.tsx";
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
  const { scope, groupKind, timezone } = props;
  const { environment, timeRange } = scope;
  const { propKey } = groupKind;
  const { list, isReady, sortBy } = useListOptions(scope, route.useSearch());
  const query = groupsQuery(environment, timeRange, propKey, list);
  const result = useInfiniteQuery({ ...query, enabled: isReady, placeholderData: placeholderFor(query.queryKey) });
  return (
    <ActivityList
      result={result}
      rowsOf={({ groups }) => groups}
      renderTable={(groups) => (
        <GroupTable
          groups={groups}
          groupKind={groupKind}
          events={{ environment, timeRange, filters: list.filters, key: propertyKey(propKey) }}
          sort={list.sort}
          onSort={sortBy}
          timezone={timezone}
        />
      )}
      empty={<NoGroups {...props} />}
      csvOf={csvOf}
      fileName={groupKind.label}
      list={list}
      request={{ path: "/v1/groups", query: { environment, ...timeRange, propKey } }}
    />
  );
}

function csvOf(groups: readonly ListedGroup[]): DataTable {
  const columns = ["groupKey", "eventCount", "actorCount", "lastSeen"].map((label) => ({ label, numeric: label.endsWith("Count") }));
  return { columns, rows: groups.map(({ groupKey, eventCount, actorCount, lastSeen }) => [groupKey, eventCount, actorCount, lastSeen]) };
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
