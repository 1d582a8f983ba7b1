import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { isKeyAlone, isTypedInField } from "../core/keys.ts";
import { ROLLING } from "../core/timeRanges.ts";
import { readStored } from "../core/storage.ts";
import { type ScopeSearch, withTimeRange } from "../scope/search.ts";
import { PAGES } from "./destinations.ts";

/** How long after `g` the next letter still belongs to it, in milliseconds. */
const PAUSE_MS = 1200;

export interface ShortcutActions {
  onOpenPalette: () => void;
  onOpenHelp: () => void;
}

/** Listen for the shortcuts of the whole app. Single keys do nothing in fields and dialogs, or when switched off. */
export function useShortcuts({ onOpenPalette, onOpenHelp }: ShortcutActions): void {
  const navigate = useNavigate();
  const actions = useRef({ onOpenPalette, onOpenHelp, navigate });
  useEffect(() => {
    actions.current = { onOpenPalette, onOpenHelp, navigate };
  });
  useEffect(() => {
    let prefixTimeMs = -Infinity; // the time of an event begins with the page
    const handleKey = (event: KeyboardEvent) => {
      const { onOpenPalette: openPalette, onOpenHelp: openHelp, navigate: go } = actions.current;
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      if (event.defaultPrevented || !isKeyAlone(event) || isTypedInField(event) || readStored("shortcuts") === "off") return;
      const page = event.timeStamp - prefixTimeMs < PAUSE_MS && PAGES.find(({ key }) => key === event.key);
      prefixTimeMs = event.key === "g" && !page ? event.timeStamp : -Infinity;
      const rangeName = ROLLING[Number(event.key) - 1];
      if (page) void go({ to: page.to });
      else if (event.key === "?") openHelp();
      else if (rangeName) {
        void go({ to: ".", search: (currentSearch: ScopeSearch) => withTimeRange(currentSearch, { timeRange: rangeName }) });
      } else if (!triggerAction(event.key)) return;
      event.preventDefault();
    };
    window.addEventListener("keydown", handleKey);
    return () => window.removeEventListener("keydown", handleKey);
  }, []);
}

/** Keys that press a button or focus a field of the page, by the `data-action` that the page gave it. */
const ACTION_KEYS: Record<string, string> = { "/": "search", f: "filter", e: "edit", n: "new", r: "refresh", v: "environment", Escape: "clear" };

/** The menu of the card in which the focus is. */
const menuAtFocus = () => document.activeElement?.closest("section")?.querySelector<HTMLElement>("header [aria-haspopup=menu]");

function triggerAction(key: string): boolean {
  const action = Object.hasOwn(ACTION_KEYS, key) ? ACTION_KEYS[key] : undefined;
  return press(action ? document.querySelector<HTMLElement>(`main [data-action="${action}"]`) : key === "." ? menuAtFocus() : null);
}

/** Press a button or focus a field; return whether there is one. */
function press(element: HTMLElement | null | undefined): boolean {
  if (!element) return false;
  if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) element.focus();
  else element.click();
  return true;
}
