import { useEffect } from "react";
import { isTypedInField, isKeyAlone } from "../core/keys.ts";
import { readStored } from "../core/storage.ts";

/** Listen for `t` on a card, which shows its answer as a table or as a chart again. The focus stays on the card. */
export function useTableKey(cardId: string, toggleTable: () => void): void {
  useEffect(() => {
    const card = document.getElementById(cardId);
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== "t" || !isKeyAlone(event) || isTypedInField(event) || readStored("shortcuts") === "off") return;
      event.preventDefault();
      card?.focus();
      toggleTable();
    };
    card?.addEventListener("keydown", handleKey);
    return () => card?.removeEventListener("keydown", handleKey);
  });
}
