import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Widget } from "../../api/widgets.ts";

/** Focus the card that the address begins to name while its dashboard is shown, such as one that was just pinned. */
export function useCardFocus(widgets: readonly Widget[]): void {
  const { hash } = useLocation();
  const firstHashRef = useRef(hash);
  const isThere = widgets.some(({ id }) => id === hash);
  useEffect(() => {
    if (isThere && hash !== firstHashRef.current) document.getElementById(hash)?.focus();
  }, [hash, isThere]);
}
