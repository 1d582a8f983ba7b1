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
  kind: GroupKey;
  q: string;
  timezone: string;
}

/** The groups of one key within the time range, page by page. */
export function GroupList({ scope, kind, q, timezone }: GroupListProps) {
  const question = groupsQuery(scope.environment, scope.timeRange, kind.propKey, q || undefined);
  const list = useInfiniteQuery({ ...question, placeholderData: placeholderFor(question.queryKey) });
  const groups = list.data?.pages.flatMap((page) => page.groups);
  return (
    <>
      <div className={styles.bar}>
        <SearchField label={`${kind.label} name`} q={q} />
        <p className={styles.note}>
          counted by <code>prop:{kind.propKey}</code>
        </p>
      </div>
      {list.error && !groups ? (
        <ErrorState {...errorInWords(list.error)} onRetry={() => void list.refetch()} />
      ) : !groups ? (
        <Skeleton height={320} />
      ) : groups.length === 0 ? (
        <NoGroups scope={scope} kind={kind} q={q} timezone={timezone} />
      ) : (
        <div aria-busy={list.isPlaceholderData || undefined}>
          <Notices notices={list.data?.pages[0]?.notices} />
          <GroupTable groups={groups} kind={kind} timeRange={scope.timeRange} timezone={timezone} />
          <div className={styles.foot}>
            <span>{formatExact(groups.length)} shown · most events first</span>
            <CopyCurl
              request={{
                path: "/v1/groups",
                query: { environment: scope.environment, ...scope.timeRange, propKey: kind.propKey, q: q || undefined },
              }}
            />
            {list.hasNextPage ? (
              <Button small busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Next 50
              </Button>
            ) : null}
          </div>
        </div>
      )}
    </>
  );
}

function NoGroups({ scope, kind, q, timezone }: GroupListProps) {
  const navigate = route.useNavigate();
  const elsewhere = useElsewhere(scope.environment, q === "");
  const timeRangeWords = timeRangeInWords(scope.timeRange, timezone).toLowerCase();
  if (q !== "") {
    return (
      <State
        title="No group matches"
        detail={`No ${kind.label} holds “${q}” in ${scope.environment}: ${timeRangeWords}.`}
        action={<Button onClick={() => void navigate({ search: ({ q: _q, ...rest }) => rest })}>Remove that search</Button>}
      />
    );
  }
  if (elsewhere === undefined) return <Skeleton height={120} />;
  if (elsewhere) return <ElsewhereState kindName="group" scope={scope} elsewhere={elsewhere} />;
  const longer = "timeRange" in scope.timeRange && scope.timeRange.timeRange === "90d" ? "all" : "90d";
  return (
    <State
      title={`No groups: ${timeRangeWords}`}
      detail={`No event in ${scope.environment} had a text in ${kind.propKey} within this span.`}
      action={
        "timeRange" in scope.timeRange && scope.timeRange.timeRange === "all" ? undefined : (
          <Button onClick={() => scope.setTimeRange({ timeRange: longer })}>Show {longer === "all" ? "all time" : "90 days"}</Button>
        )
      }
    />
  );
}
