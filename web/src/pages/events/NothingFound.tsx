import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { type EventSelection, fetchEvents } from "../../api/events.ts";
import { questionQuery } from "../../api/widgets.ts";
import { countInWords } from "../../core/numbers.ts";
import { type RangeName, rangeInWords } from "../../core/timeRanges.ts";
import { formatAgo, dateMinute } from "../../core/time.ts";
import { rangeBackTo } from "../../core/timeRangeStart.ts";
import { ElsewhereState } from "../../scope/ElsewhereState.tsx";
import { filterInWords } from "../../scope/filters.ts";
import { useElsewhere } from "../../scope/useElsewhere.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { State } from "../../ui/States/State.tsx";
import { useNow } from "../../ui/useNow.ts";
import { countQuestion, isNarrowed } from "./questions.ts";

const route = getRouteApi("/member/events");

export interface NothingFoundProps {
  scope: Scope;
  selection: EventSelection;
  name: string | undefined;
  timezone: string;
}

/** Why there are no rows, and the one thing to do about it. */
export function NothingFound(props: NothingFoundProps) {
  const { scope, selection } = props;
  const unfilteredSelection = { environment: scope.environment, filters: [] };
  const { data, isPending } = useQuery(questionQuery(countQuestion(unfilteredSelection, scope.timeRange)));
  if (isPending) return <Skeleton height={120} />;
  const totalCount = data?.kind === "counter" ? (data.value ?? 0) : 0;
  return totalCount > 0 && isNarrowed(selection) ? <FilteredAway {...props} totalCount={totalCount} /> : <NothingInRange {...props} />;
}

function FilteredAway({ scope, name, totalCount }: NothingFoundProps & { totalCount: number }) {
  const navigate = route.useNavigate();
  const filterTexts = [...(name === undefined ? [] : [`name is ${name}`]), ...scope.filters.map(filterInWords)];
  const segmentCount = scope.segmentId === undefined ? 0 : 1;
  const removeAll = () => void navigate({ search: ({ f: _f, seg: _seg, name: _name, ...rest }) => rest });
  return (
    <State
      title="No matching events"
      detail={`${totalCount > 0 ? `${countInWords(totalCount, "event")} in this time range, but none` : `${scope.environment} has no events`} ${filterTexts.length > 0 ? `where ${filterTexts.join(" and ")}` : "in this segment"}.`}
      action={<Button onClick={removeAll}>{filterTexts.length + segmentCount === 1 ? "Remove filter" : "Remove filters"}</Button>}
    />
  );
}

function NothingInRange(props: NothingFoundProps) {
  const { scope, selection, timezone } = props;
  const { data: newestEvent, isPending } = useQuery({
    queryKey: ["/v1/events", { selection, last: true }],
    queryFn: async ({ signal }) => (await fetchEvents(selection, { timeRange: "all" }, { limit: 1, signal })).events[0] ?? null,
  });
  const otherEnvironment = useElsewhere(scope.environment, newestEvent === null);
  const now = useNow();
  if (isPending || otherEnvironment === undefined) return <Skeleton height={120} />;
  if (otherEnvironment) return <ElsewhereState kindName="event" scope={scope} elsewhere={otherEnvironment} />;
  const title = "timeRange" in scope.timeRange ? `No events ${rangePhrase(scope.timeRange.timeRange)}` : "No events in this time range";
  if (!newestEvent && isNarrowed(selection)) return <FilteredAway {...props} totalCount={0} />;
  if (!newestEvent) {
    return (
      <State
        title={`No events in ${scope.environment} yet`}
        detail="Each environment has its own events and API keys."
        action={<Link to="/start">Send the first event</Link>}
      />
    );
  }
  const range = rangeBackTo(newestEvent.timestamp, now);
  return (
    <State
      title={title}
      detail={`The last ${isNarrowed(selection) ? "match" : "event"} in ${scope.environment} arrived ${formatAgo(newestEvent.timestamp, now)}, on ${dateMinute(newestEvent.timestamp, timezone)}.`}
      action={<Button onClick={() => scope.setTimeRange({ timeRange: range })}>Show {rangeInWords(range).toLowerCase()}</Button>}
    />
  );
}

function rangePhrase(name: RangeName): string {
  const words = rangeInWords(name).toLowerCase();
  return /^\d/.test(words) ? `in the last ${words}` : words;
}
