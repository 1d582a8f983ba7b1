import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Pause, Play } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { identityQuery } from "../../api/auth.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { TimeRangePicker } from "../../scope/TimeRangePicker.tsx";
import { useEventSelection } from "../../scope/useEventSelection.ts";
import { useScope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { EventBoard } from "./EventBoard.tsx";
import { Filters } from "./Filters.tsx";
import { Histogram } from "./Histogram.tsx";
import styles from "./ListPage.module.css";
import { LiveBadge } from "./LiveBadge.tsx";
import { NothingFound } from "./NothingFound.tsx";
import { useEventList } from "./useEventList.ts";

const route = getRouteApi("/member/events");
const LAST_HOUR: TimeRange = { timeRange: "1h" };
/** Below this, in px, the first rows are out of sight. */
const AWAY_PX = 200;

/** Events as they arrive: when, what, who, from where; and one of them in detail. */
export function ListPage() {
  const scope = useScope({ timeRange: LAST_HOUR });
  const { sel: selectedId, name } = route.useSearch();
  const { data: identity } = useQuery(identityQuery);
  const [isStopped, setStopped] = useState(false);
  const isScrolledAway = useScrolledAway();
  const { selection, isReady } = useEventSelection(scope, name);
  const timezone = identity?.workspace.timezone ?? "UTC";
  const list = useEventList({
    selection,
    timeRange: scope.timeRange,
    workspaceId: identity?.workspace.id ?? "",
    timezone,
    isPaused: isStopped || isScrolledAway || selectedId !== undefined,
    isReady: isReady && identity !== undefined,
  });
  const { rows, live, isFollowing, error, isPending } = list;
  const isEmpty = !isPending && !error && rows.events.length === 0 && live.waitingCount === 0;
  return (
    <Page
      title="Events"
      badge={isFollowing ? <LiveBadge connection={live.connection} perMinute={live.perMinute} isPaused={isStopped} /> : null}
      tools={
        <>
          <EnvironmentPicker environment={scope.environment} onChange={scope.setEnvironment} />
          <TimeRangePicker timeRange={scope.timeRange} onChange={scope.setTimeRange} timezone={timezone} />
          {isFollowing ? (
            <Button icon={isStopped ? Play : Pause} onClick={() => setStopped(!isStopped)}>
              <span className={styles.word}>{isStopped ? "Resume" : "Pause"}</span>
            </Button>
          ) : null}
        </>
      }
    >
      <Filters scope={scope} selection={selection} name={name} isReady={isReady} />
      <Histogram scope={scope} selection={selection} timezone={timezone} isFollowing={isFollowing} isReady={isReady} />
      {error && rows.events.length === 0 ? (
        <ErrorState {...errorInWords(error)} onRetry={list.reload} />
      ) : isEmpty && selectedId === undefined ? (
        <NothingFound scope={scope} selection={selection} name={name} timezone={timezone} />
      ) : (
        <EventBoard
          list={list}
          scope={scope}
          timezone={timezone}
          mayWrite={identity ? mayAct(identity.role, "developer") : false}
        />
      )}
    </Page>
  );
}

/** Return whether the page is scrolled so far that its first rows are out of sight. */
function useScrolledAway(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY > AWAY_PX);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("scroll", listener, { passive: true });
  return () => window.removeEventListener("scroll", listener);
}
