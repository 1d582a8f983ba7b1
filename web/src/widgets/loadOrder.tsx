import { type ReactNode, type RefCallback, createContext, startTransition, useCallback, useContext, useLayoutEffect, useMemo, useRef, useState } from "react";

/** After how many milliseconds all cards ask, even if those in the window still wait. */
const MAX_WAIT_MS = 2000;
/** For how many cards in the window the others do not wait: a slow one holds up none. */
const MAX_STRAGGLERS = 1;

interface LoadTurns {
  /** Whether cards outside the window ask, too. */
  isWindowLoaded: boolean;
  /** Say that a card in the window waits for its answer; call what is returned when it has one. */
  enter: () => () => void;
}

const LoadTurnsContext = createContext<LoadTurns>({ isWindowLoaded: true, enter: () => () => undefined });

/** Lets the cards in the window ask first. The others follow as soon as all of these but one have their answers. */
export function LoadOrder({ children }: { children: ReactNode }) {
  const [isWindowLoaded, setWindowLoaded] = useState(false);
  const waiting = useRef(new Set<object>());
  const enter = useCallback(() => {
    const card = {};
    waiting.current.add(card);
    return () => {
      waiting.current.delete(card);
      // What the window shows is drawn first.
      if (waiting.current.size <= MAX_STRAGGLERS) startTransition(() => setWindowLoaded(true));
    };
  }, []);
  // Effects run from the inside out, so all cards in the window have entered by now.
  useLayoutEffect(() => {
    if (waiting.current.size === 0) setWindowLoaded(true);
    const timer = window.setTimeout(() => setWindowLoaded(true), MAX_WAIT_MS);
    return () => window.clearTimeout(timer);
  }, []);
  const turns = useMemo(() => ({ isWindowLoaded, enter }), [isWindowLoaded, enter]);
  return <LoadTurnsContext value={turns}>{children}</LoadTurnsContext>;
}

export interface LoadTurn {
  /** For the element that fills the card. */
  frame: RefCallback<HTMLElement>;
  /** Whether the card may ask by now. */
  mayAsk: boolean;
  /** Call it when the card has got what it asked for. */
  settle: () => void;
}

/** The turn of one card. */
export function useLoadTurn(): LoadTurn {
  const { isWindowLoaded, enter } = useContext(LoadTurnsContext);
  const [inWindow, setInWindow] = useState(false);
  const leave = useRef<(() => void) | undefined>(undefined);
  const frame = useCallback(
    (element: HTMLElement | null) => {
      const box = element?.getBoundingClientRect();
      if (!box || box.top >= window.innerHeight || box.bottom <= 0) return undefined;
      setInWindow(true);
      leave.current = enter();
      return leave.current;
    },
    [enter],
  );
  const settle = useCallback(() => leave.current?.(), []);
  return { frame, mayAsk: isWindowLoaded || inWindow, settle };
}
