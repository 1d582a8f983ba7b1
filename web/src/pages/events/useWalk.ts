import { useEffect, useEffectEvent } from "react";

/** The id of a row's button in the page. */
export const rowElementId = (id: string): string => `event-${id}`;
/** The id of the heading of the chosen event. */
export const PANEL_ID = "chosen-event";

export interface WalkOptions {
  /** The chosen row. */
  eventId: string | undefined;
  /** Go so many rows down; returns the id of the row, undefined at the end. */
  onStep: (step: number) => string | undefined;
  onClose: () => void;
}

/** Places where the arrow keys and Escape have a meaning of their own. */
const KEY_OWNERS = "input, textarea, select, [contenteditable], [role=menu], [role=dialog], [role=region], [role=listbox], [data-own-keys]";

/** While a row is chosen, ↑ and ↓ go to the next one, Tab goes from it to its event and Shift+Tab back, and Escape closes it. */
export function useWalk({ eventId, onStep, onClose }: WalkOptions): void {
  const isActive = eventId !== undefined;
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Tab" && isActive) moveFocus(event, rowElementId(eventId));
    if (event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest(KEY_OWNERS)) return;
    if (event.key === "Escape") onClose();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const nextId = onStep(event.key === "ArrowDown" ? 1 : -1);
      if (nextId !== undefined) focusRow(nextId);
    }
  });
  useEffect(() => {
    if (!isActive) return undefined;
    const listener = (event: KeyboardEvent) => handleKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, [isActive]);
}

/** From the chosen row to the heading of its event, or back. */
function moveFocus(event: KeyboardEvent, rowButtonId: string): void {
  const [fromId, toId] = event.shiftKey ? [PANEL_ID, rowButtonId] : [rowButtonId, PANEL_ID];
  const target = document.activeElement?.id === fromId ? document.getElementById(toId) : null;
  if (!target) return;
  event.preventDefault();
  target.focus();
}

/** Keep the row in sight, and the focus on it if it was on a row. */
function focusRow(id: string): void {
  const button = document.getElementById(rowElementId(id));
  if (document.activeElement?.id.startsWith(rowElementId(""))) button?.focus({ preventScroll: true });
  button?.closest("tr")?.scrollIntoView({ block: "nearest" });
}
