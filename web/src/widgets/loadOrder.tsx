import { type ReactNode, type RefCallback, createContext, startTransition, useCallback, useContext, useLayoutEffect, useMemo, useRef, useState } from "react";

/** After how many milliseconds all cards ask, even if those in the window still wait. */
const MAX_WAIT_MS = 2000;
/** For how many cards in the window the others do not wait: a slow one holds up none. */
const MAX_STRAGGLERS = 1;

interface LoadTurns {
  /** Whether cards outside the window ask, too. */
  isWindowLoaded: boolean;
  /** Say that a card in the window waits for its answer; call what is returned when it has one. */
  enterWindow: () => () => void;
}

const LoadTurnsContext = createContext<LoadTurns>({ isWindowLoaded: true, enterWindow: () => () => undefined });

/** Lets the cards in the window ask first. The others follow as soon as all of these but one have their answers. */
export function LoadOrder({ children }: { children: ReactNode }) {
  const [isWindowLoaded, setWindowLoaded] = useState(false);
  const waitingCards = useRef(new Set<object>());
  const enterWindow = useCallback(() => {
    const card = {};
    waitingCards.current.add(card);
    return () => {
      waitingCards.current.delete(card);
      // What the window shows is drawn first.
      if (waitingCards.current.size <= MAX_STRAGGLERS) startTransition(() => setWindowLoaded(true));
    };
  }, []);
  // Effects run from the inside out, so all cards in the window have entered by now.
  useLayoutEffect(() => {
    if (waitingCards.current.size === 0) setWindowLoaded(true);
    const timer = window.setTimeout(() => setWindowLoaded(true), MAX_WAIT_MS);
    return () => window.clearTimeout(timer);
  }, []);
  const turns = useMemo(() => ({ isWindowLoaded, enterWindow }), [isWindowLoaded, enterWindow]);
  return <LoadTurnsContext value={turns}>{children}</LoadTurnsContext>;
}

export interface LoadTurn {
  /** For the element that fills the card. */
  frameRef: RefCallback<HTMLElement>;
  /** Whether the card may ask by now. */
  mayAsk: boolean;
  /** Call it when the card has got what it asked for. */
  endTurn: () => void;
}

/** The turn of one card. */
export function useLoadTurn(): LoadTurn {
  const { isWindowLoaded, enterWindow } = useContext(LoadTurnsContext);
  const [isInWindow, setIsInWindow] = useState(false);
  const leaveRef = useRef<(() => void) | undefined>(undefined);
  const frameRef = useCallback(
    (element: HTMLElement | null) => {
      const box = element?.getBoundingClientRect();
      if (!box || box.top >= window.innerHeight || box.bottom <= 0) return undefined;
      setIsInWindow(true);
      leaveRef.current = enterWindow();
      return leaveRef.current;
    },
    [enterWindow],
  );
  const endTurn = useCallback(() => leaveRef.current?.(), []);
  return { frameRef, mayAsk: isWindowLoaded || isInWindow, endTurn };
}
