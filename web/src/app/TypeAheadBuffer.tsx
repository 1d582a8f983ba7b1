import { type RefObject, useEffect } from "react";

export interface TypedAheadProps {
  typedAhead: RefObject<string>;
  onClose: () => void;
}

/** Keeps what somebody types while the palette is on its way, who has pressed its keys and goes on at once. */
export function TypeAheadBuffer({ typedAhead, onClose }: TypedAheadProps) {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") onClose();
      else if (event.key === "Backspace") typedAhead.current = typedAhead.current.slice(0, -1);
      else if (/^.$/u.test(event.key)) typedAhead.current += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("keydown", handleKey, { capture: true });
    return () => document.removeEventListener("keydown", handleKey, { capture: true });
  });
  return null;
}
