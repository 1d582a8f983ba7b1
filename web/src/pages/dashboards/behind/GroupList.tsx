import type { UseQueryResult } from "@tanstack/react-query";
import type { EventSelection } from "../../../api/events.ts";
import type { Question, Result } from "../../../api/widgets.ts";
import { errorInWords } from "../../../api/words.ts";
import type { TimeRange } from "../../../core/timeRanges.ts";
import type { ScopeSearch } from "../../../scope/search.ts";
import { RowList } from "../../../scope/units/RowList.tsx";
import { GroupLink } from "../../../scope/units/UnitList.tsx";
import { Skeleton } from "../../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../../ui/States/ErrorState.tsx";
import { State } from "../../../ui/States/State.tsx";

/** As many as an answer has labels at most. */
const MAX_GROUPS = 50;

/** Return the question which groups have how many of some events. */
export function groupsQuestion({ environment, name, filters }: EventSelection, timeRange: TimeRange): Question {
  const events = name === undefined ? { events: "all" as const } : { event: name };
  const config = { ...events, measure: "count" as const, breakdown: "_group", limit: MAX_GROUPS, filters, compare: false };
  return { environment, type: "metric", config, ...timeRange };
}

/** Say how many groups an answer has: "61 groups", "50+ groups" where it may leave some out. */
export function groupCountInWords(answer: Result | undefined): string {
  if (answer?.kind !== "categorical") return "Groups";
  const { length } = answer.rows;
  return length === 1 ? "1 group" : `${length}${length === MAX_GROUPS ? "+" : ""} groups`;
}

/** The groups of the default key that some events belong to, the busiest first. */
export function GroupList({ result: { data, error, refetch }, search }: { result: UseQueryResult<Result>; search: ScopeSearch }) {
  if (error && !data) return <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />;
  if (data?.kind !== "categorical") return <Skeleton height={240} />;
  if (data.rows.length === 0) return <State title="No groups" detail="These events belong to no group." />;
  const rows = data.rows.map(({ label, value }) => {
    const groupKey = label ?? "";
    return { key: groupKey, name: <GroupLink groupKey={groupKey} search={search} />, count: value ?? 0 };
  });
  return <RowList label="Groups behind this number" rows={rows} />;
}
