import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { errorInLine } from "../../api/words.ts";
import { countInWords } from "../../core/numbers.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Notices } from "../../ui/Notices/Notices.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import styles from "./EventBoard.module.css";
import { EventPanel } from "./EventPanel.tsx";
import { EventTable } from "./EventTable.tsx";
import { neighbourId } from "./rows.ts";
import type { EventList } from "./useEventList.ts";
import { useGroupColumn } from "./useGroupColumn.ts";
import { rowElementId, useWalk } from "./useWalk.ts";

/** While new rows flow in, those far below are left out; they are there as soon as somebody scrolls, and nothing flows. */
const MAX_FLOWING_ROWS = 120;

const route = getRouteApi("/member/events");

export interface EventBoardProps {
  list: EventList;
  scope: Scope;
  timezone: string;
  mayWrite: boolean;
}

/** The rows, and beside them the one that is chosen. The arrow keys go from one to the next. */
export function EventBoard({ list, scope, timezone, mayWrite }: EventBoardProps) {
  const { rows, live } = list;
  const { sel: selectedId } = route.useSearch();
  const navigate = route.useNavigate();
  const knownGroupColumn = useGroupColumn(scope.environment);
  const groupColumn = knownGroupColumn ?? null;
  // The rows come with all of their columns, which would move otherwise.
  const isLoading = list.isPending || knownGroupColumn === undefined;
  const shownRows = list.isFollowing && live.state !== "paused" ? rows.events.slice(0, MAX_FLOWING_ROWS) : rows.events;
  const selectEvent = (id: string) =>
    void navigate({ search: (current) => ({ ...current, sel: id }), replace: selectedId !== undefined, resetScroll: false });
  const closePanel = () => {
    void navigate({ search: ({ sel: _sel, ...rest }) => rest, resetScroll: false });
    if (selectedId !== undefined) document.getElementById(rowElementId(selectedId))?.focus();
  };
  const stepSelection = (step: number) => {
    const nextId = selectedId === undefined ? undefined : neighbourId(rows, selectedId, step);
    if (nextId !== undefined) selectEvent(nextId);
    return nextId;
  };
  useWalk({ eventId: selectedId, onStep: stepSelection, onClose: closePanel });
  return (
    <div className={styles.board} data-open={selectedId !== undefined || undefined}>
      <div className={styles.list}>
        <Notices notices={list.notices} />
        <EventTable
          rows={isLoading ? [] : shownRows}
          isLoading={isLoading}
          waitingCount={live.waitingCount}
          isAtHead={rows.isAtHead}
          onShowNew={() => {
            list.showNew();
            window.scrollTo({ top: 0 });
          }}
          selectedId={selectedId}
          onSelect={selectEvent}
          groupColumn={groupColumn}
          timezone={timezone}
        />
        {isLoading ? null : <ListFoot list={list} />}
      </div>
      {selectedId === undefined ? null : (
        <EventPanel
          id={selectedId}
          event={isLoading ? undefined : rows.events.find(({ id }) => id === selectedId)}
          isLoading={isLoading}
          scope={scope}
          groupColumn={groupColumn}
          timezone={timezone}
          hasNewer={neighbourId(rows, selectedId, -1) !== undefined}
          hasOlder={neighbourId(rows, selectedId, 1) !== undefined}
          onStep={stepSelection}
          onClose={closePanel}
          mayWrite={mayWrite}
          onHidden={list.remove}
          onShown={list.reload}
        />
      )}
    </div>
  );
}

function ListFoot({ list: { rows, loadOlder } }: { list: EventList }) {
  const [isLoading, setIsLoading] = useState(false);
  const handleLoad = async () => {
    setIsLoading(true);
    try {
      await loadOlder();
    } catch (error) {
      toast({ text: errorInLine(error), tone: "error" });
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <div className={styles.foot}>
      <span>{countInWords(rows.events.length, "row")} · newest first</span>
      {rows.olderStart === null ? (
        <span>No older events in this time range</span>
      ) : (
        <Button small busy={isLoading} onClick={() => void handleLoad()}>Load older</Button>
      )}
    </div>
  );
}
