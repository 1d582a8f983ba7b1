import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { actorsQuery } from "../../api/actors.ts";
import { rangeInWords } from "../../core/timeRanges.ts";
import { dateMinute } from "../../core/time.ts";
import { ElsewhereState } from "../../scope/ElsewhereState.tsx";
import { NoMatches, isNarrowedList } from "../../scope/NoMatches.tsx";
import { timeRangeInWords } from "../../scope/days.ts";
import { useElsewhere } from "../../scope/useElsewhere.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { State } from "../../ui/States/State.tsx";

/** Why no actor is listed, and the one thing to do. */
export function NoActors({ scope, q, timezone }: { scope: Scope; q: string; timezone: string }) {
  const timeRangeWords = timeRangeInWords(scope.timeRange, timezone).toLowerCase();
  if (isNarrowedList(scope, q)) {
    return <NoMatches kindName="actor" searchedPart="label or key" scope={scope} q={q} timeRangeWords={timeRangeWords} />;
  }
  return <NoneInRange scope={scope} timeRangeWords={timeRangeWords} timezone={timezone} />;
}

function NoneInRange({ scope, timeRangeWords, timezone }: { scope: Scope; timeRangeWords: string; timezone: string }) {
  const { environment } = scope;
  const { data, isPending } = useInfiniteQuery(actorsQuery(environment, { timeRange: "all" }));
  const busiestActor = data?.pages[0]?.actors[0];
  const otherEnvironment = useElsewhere(environment, data !== undefined && !busiestActor);
  if (isPending || otherEnvironment === undefined) return <Skeleton height={120} />;
  if (otherEnvironment) return <ElsewhereState kindName="actor" scope={scope} elsewhere={otherEnvironment} />;
  if (!busiestActor) {
    return (
      <State
        title={`No actors in ${environment} yet`}
        detail="Actors come from the _actor field of your events. Events without it are anonymous."
        action={<Link to="/start">Send an event</Link>}
      />
    );
  }
  return (
    <State
      title={`No actors in ${environment} (${timeRangeWords})`}
      detail={`The most active actor was last seen on ${dateMinute(busiestActor.lastSeen, timezone)}.`}
      action={<Button onClick={() => scope.setTimeRange({ timeRange: "all" })}>Show {rangeInWords("all").toLowerCase()}</Button>}
    />
  );
}
