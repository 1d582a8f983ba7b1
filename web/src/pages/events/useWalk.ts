import { useEffect, useEffectEvent } from "react";

/** The id of a row's button in the page. */
export const rowId = (id: string): string => `event-${id}`;
/** The id of the heading of the chosen event. */
export const PANEL_ID = "chosen-event";

export interface Walk {
  /** The chosen row. */
  eventId: string | undefined;
  /** Go so many rows down; returns the id of the row, undefined at the end. */
  onStep: (by: number) => string | undefined;
  onClose: () => void;
}

/** Places where the arrow keys and Escape have a meaning of their own. */
const ELSEWHERE = "input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=region], [role=listbox], [data-own-keys]";

/** While a row is chosen, ↑ and ↓ go to the next one, Tab goes from it to its event and Shift+Tab back, and Escape closes it. */
export function useWalk({ eventId, onStep, onClose }: Walk): void {
  const active = eventId !== undefined;
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Tab" && active) moveFocus(event, rowId(eventId));
    if (event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest(ELSEWHERE)) return;
    if (event.key === "Escape") onClose();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = onStep(event.key === "ArrowDown" ? 1 : -1);
      if (next !== undefined) follow(next);
    }
  });
  useEffect(() => {
    if (!active) return undefined;
    const listener = (event: KeyboardEvent) => handleKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [active]);
}

/** From the chosen row to the heading of its event, or back. */
function moveFocus(event: KeyboardEvent, row: string): void {
  const [from, to] = event.shiftKey ? [PANEL_ID, row] : [row, PANEL_ID];
  const target = document.activeElement?.id === from ? document.getElementById(to) : null;
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** Keep the row in sight, and the focus on it if it was on a row. */
function follow(id: string): void {
  const button = document.getElementById(rowId(id));
  if (document.activeElement?.id.startsWith(rowId(""))) button?.focus({ preventScroll: true });
  button?.closest("tr")?.scrollIntoView({ block: "nearest" });
}
