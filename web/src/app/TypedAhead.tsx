import { type RefObject, useEffect } from "react";

export interface TypedAheadProps {
  buffer: RefObject<string>;
  onClose: () => void;
}

/** Keeps what somebody types while the palette is on its way, who has pressed its keys and goes on at once. */
export function TypedAhead({ buffer, onClose }: TypedAheadProps) {
  useEffect(() => {
    const take = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") onClose();
      else if (event.key === "Backspace") buffer.current = buffer.current.slice(0, -1);
      else if (/^.$/u.test(event.key)) buffer.current += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("keydown", take, { capture: true });
    return () => document.removeEventListener("keydown", take, { capture: true });
  });
  return null;
}
