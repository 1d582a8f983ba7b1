import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type GroupKey, groupsQuery } from "../../api/groups.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { errorInWords } from "../../api/words.ts";
import { formatExact } from "../../core/numbers.ts";
import { timeRangeInWords } from "../../scope/days.ts";
import { ElsewhereState } from "../../scope/ElsewhereState.tsx";
import { SearchField } from "../../scope/SearchField.tsx";
import { useElsewhere } from "../../scope/useElsewhere.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyCurl } from "../../ui/Code/CopyCurl.tsx";
import { Notices } from "../../ui/Notices/Notices.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
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

/** The groups of one key within the time range, page by page. */
export function GroupList({ scope, groupKind, q, timezone }: GroupListProps) {
  const groupsOptions = groupsQuery(scope.environment, scope.timeRange, groupKind.propKey, q || undefined);
  const groupsResult = useInfiniteQuery({ ...groupsOptions, placeholderData: placeholderFor(groupsOptions.queryKey) });
  const groups = groupsResult.data?.pages.flatMap((page) => page.groups);
  return (
    <>
      <div className={styles.bar}>
        <SearchField label={`${groupKind.label} name`} q={q} />
        <p className={styles.note}>
          grouped by <code>prop:{groupKind.propKey}</code>
        </p>
      </div>
      {groupsResult.error && !groups ? (
        <ErrorState {...errorInWords(groupsResult.error)} onRetry={() => void groupsResult.refetch()} />
      ) : !groups ? (
        <Skeleton height={320} />
      ) : groups.length === 0 ? (
        <NoGroups scope={scope} groupKind={groupKind} q={q} timezone={timezone} />
      ) : (
        <div aria-busy={groupsResult.isPlaceholderData || undefined}>
          <Notices notices={groupsResult.data?.pages[0]?.notices} />
          <GroupTable groups={groups} groupKind={groupKind} timeRange={scope.timeRange} timezone={timezone} />
          <div className={styles.foot}>
            <span>{formatExact(groups.length)} shown · most events first</span>
            <CopyCurl
              request={{
                path: "/v1/groups",
                query: { environment: scope.environment, ...scope.timeRange, propKey: groupKind.propKey, q: q || undefined },
              }}
            />
            {groupsResult.hasNextPage ? (
              <Button small busy={groupsResult.isFetchingNextPage} onClick={() => void groupsResult.fetchNextPage()}>
                Next 50
              </Button>
            ) : null}
          </div>
        </div>
      )}
    </>
  );
}

function NoGroups({ scope, groupKind, q, timezone }: GroupListProps) {
  const navigate = route.useNavigate();
  const otherEnvironment = useElsewhere(scope.environment, q === "");
  const timeRangeWords = timeRangeInWords(scope.timeRange, timezone).toLowerCase();
  if (q !== "") {
    return (
      <State
        title="No matching groups"
        detail={`No ${groupKind.label} contains “${q}” in ${scope.environment} (${timeRangeWords}).`}
        action={<Button onClick={() => void navigate({ search: ({ q: _q, ...rest }) => rest })}>Clear search</Button>}
      />
    );
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
