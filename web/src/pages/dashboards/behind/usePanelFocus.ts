import { type RefObject, useEffect, useRef } from "react";

/** Below this part of the window, a sheet from below is in front of the page. */
const SHEET_TOP = 0.38;
/** So many px of a card are enough to see which one it is. */
const LEAST_IN_SIGHT = 100;

/**
 * Lead the focus from the number that was pressed into the panel, and keep its card in sight. Nothing moves if the page
 * was opened with the panel.
 *
 * @param spotText - tells one number from another
 * @returns a function that leads the focus back
 */
export function usePanelFocus(panelRef: RefObject<HTMLElement | null>, headingId: string, cardId: string, spotText: string): () => void {
  const openerRef = useRef<HTMLElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLElement) || activeElement === document.body || panelRef.current?.contains(activeElement)) return;
    openerRef.current = activeElement;
    document.getElementById(headingId)?.focus({ preventScroll: true });
    keepInSight(document.getElementById(cardId));
  }, [panelRef, headingId, cardId, spotText]);
  return () => {
    if (openerRef.current?.isConnected) openerRef.current.focus();
  };
}

function keepInSight(card: HTMLElement | null): void {
  if (!card) return;
  const { top, bottom } = card.getBoundingClientRect();
  const isSheet = window.matchMedia("(max-width: 599px)").matches;
  const sightEnd = isSheet ? window.innerHeight * SHEET_TOP : window.innerHeight;
  if (bottom < LEAST_IN_SIGHT || top > sightEnd - LEAST_IN_SIGHT) card.scrollIntoView({ block: "start" });
}
