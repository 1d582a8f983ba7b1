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
import { neighbour } from "./rows.ts";
import type { EventList } from "./useEventList.ts";
import { useGroupColumn } from "./useGroupColumn.ts";
import { rowId, useWalk } from "./useWalk.ts";

/** While new rows flow in, those far below are left out; they are there as soon as somebody scrolls, and nothing flows. */
const FLOWING_ROWS = 120;

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
  const { sel } = route.useSearch();
  const navigate = route.useNavigate();
  const group = useGroupColumn(scope.environment);
  const choose = (id: string) =>
    void navigate({ search: (current) => ({ ...current, sel: id }), replace: sel !== undefined, resetScroll: false });
  const close = () => {
    void navigate({ search: ({ sel: _sel, ...rest }) => rest, resetScroll: false });
    if (sel !== undefined) document.getElementById(rowId(sel))?.focus();
  };
  const step = (by: number) => {
    const next = sel === undefined ? undefined : neighbour(rows, sel, by);
    if (next !== undefined) choose(next);
    return next;
  };
  useWalk({ eventId: sel, onStep: step, onClose: close });
  return (
    <div className={styles.board} data-open={sel !== undefined || undefined}>
      <div className={styles.list}>
        <Notices notices={list.notices} />
        <EventTable
          rows={list.follows && live.state !== "paused" ? rows.events.slice(0, FLOWING_ROWS) : rows.events}
          isLoading={list.isPending}
          waiting={live.waiting}
          atHead={rows.atHead}
          onShowNew={() => {
            list.showNew();
            window.scrollTo({ top: 0 });
          }}
          selected={sel}
          onSelect={choose}
          group={group}
          timezone={timezone}
        />
        <Foot list={list} />
      </div>
      {sel === undefined ? null : (
        <EventPanel
          id={sel}
          event={rows.events.find(({ id }) => id === sel)}
          isLoading={list.isPending}
          scope={scope}
          group={group}
          timezone={timezone}
          hasAbove={neighbour(rows, sel, -1) !== undefined}
          hasBelow={neighbour(rows, sel, 1) !== undefined}
          onStep={step}
          onClose={close}
          mayWrite={mayWrite}
          onHidden={list.remove}
          onShown={list.reload}
        />
      )}
    </div>
  );
}

function Foot({ list: { rows, loadOlder, isPending } }: { list: EventList }) {
  const [busy, setBusy] = useState(false);
  if (isPending) return null;
  const load = async () => {
    setBusy(true);
    try {
      await loadOlder();
    } catch (error) {
      toast({ text: errorInLine(error), tone: "error" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className={styles.foot}>
      <span>{countInWords(rows.events.length, "row")} · newest first</span>
      {rows.older === null ? (
        <span>No older events in this range</span>
      ) : (
        <Button small busy={busy} onClick={() => void load()}>
          Load older
        </Button>
      )}
    </div>
  );
}
