import { useEffect } from "react";
import { isForField, isPlain } from "../core/keys.ts";
import { readStored } from "../core/storage.ts";

/** Listen for `t` on a card, which shows its answer as a table or as a chart again. The focus stays on the card. */
export function useTableKey(cardId: string, toggle: () => void): void {
  useEffect(() => {
    const card = document.getElementById(cardId);
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "t" || !isPlain(event) || isForField(event) || readStored("shortcuts") === "off") return;
      event.preventDefault();
      card?.focus();
      toggle();
    };
    card?.addEventListener("keydown", onKey);
    return () => card?.removeEventListener("keydown", onKey);
  });
}
