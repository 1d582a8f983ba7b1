import { useEffect, useEffectEvent } from "react";
import { isKeyAlone, isTypedInField } from "../../../core/keys.ts";

export interface PanelKeys {
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

/** What moves by the arrow keys itself. */
const ARROW_OWNERS = "[role=application], [role=tablist], [role=radiogroup], [role=menu], [data-own-keys]";

/** While a number is open, ↑ and ↓ go to its neighbors, and Escape closes it. */
export function usePanelKeys({ onPrevious, onNext, onClose }: PanelKeys): void {
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.shiftKey || !isKeyAlone(event) || isTypedInField(event)) return;
    const ownsArrows = event.target instanceof Element && event.target.closest(ARROW_OWNERS) !== null;
    const step = ownsArrows ? undefined : event.key === "ArrowUp" ? onPrevious : event.key === "ArrowDown" ? onNext : undefined;
    const action = event.key === "Escape" ? onClose : step;
    if (!action) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
