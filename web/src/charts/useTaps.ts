import { type PointerEvent, useRef } from "react";

export interface Taps {
  /** Note what presses: a finger, or a mouse that has shown the value already. */
  notePointer: (event: PointerEvent) => void;
  /** Return whether a click at a place opens it: that of a mouse does, that of a finger the second time. */
  opens: (place: number) => boolean;
  /** Forget where the finger was: the value is no longer shown. */
  forget: () => void;
}

/** Let a finger see a value before it opens it, as the pointer of a mouse does. */
export function useTaps(): Taps {
  const isFinger = useRef(false);
  const shownPlace = useRef<number | null>(null);
  return {
    notePointer: ({ pointerType }) => {
      isFinger.current = pointerType === "touch";
    },
    opens: (place) => {
      const isShown = shownPlace.current === place;
      shownPlace.current = place;
      return isShown || !isFinger.current;
    },
    forget: () => {
      shownPlace.current = null;
    },
  };
}
