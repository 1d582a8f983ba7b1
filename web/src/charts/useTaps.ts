import { type PointerEvent, useRef } from "react";

export interface Taps {
  /** Of the element that is tapped. */
  handlers: { onPointerDownCapture: (event: PointerEvent) => void; onBlurCapture: () => void };
  /** Return whether a click at a place opens it: that of a mouse does, that of a finger the second time. */
  opens: (place: number) => boolean;
}

/** Let a finger see a value before it opens it, as the pointer of a mouse does. */
export function useTaps(): Taps {
  const isFinger = useRef(false);
  const shownPlace = useRef<number | null>(null);
  return {
    handlers: {
      onPointerDownCapture: ({ pointerType }) => {
        isFinger.current = pointerType === "touch";
      },
      onBlurCapture: () => {
        shownPlace.current = null;
      },
    },
    opens: (place) => {
      const isShown = shownPlace.current === place;
      shownPlace.current = place;
      return isShown || !isFinger.current;
    },
  };
}
