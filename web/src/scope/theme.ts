import { useSyncExternalStore } from "react";
import { store, readStored } from "../core/storage.ts";

export type Theme = "light" | "dark";
/** What a person chose: a theme, or that of their system. */
export type ThemeChoice = Theme | "system";

const listeners = new Set<() => void>();
const DARK = "(prefers-color-scheme: dark)";

const currentTheme = (): Theme => (document.documentElement.dataset.theme === "dark" ? "dark" : "light");
const systemTheme = (): Theme => (window.matchMedia(DARK).matches ? "dark" : "light");

function storedChoice(): ThemeChoice {
  const choice = readStored("theme");
  return choice === "dark" || choice === "light" ? choice : "system";
}

function showTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** Show a theme at once and remember it in this browser. */
export function chooseTheme(choice: ThemeChoice): void {
  store("theme", choice === "system" ? null : choice);
  showTheme(choice === "system" ? systemTheme() : choice);
}

function followSystem(): void {
  if (storedChoice() === "system") showTheme(systemTheme());
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.matchMedia(DARK).addEventListener("change", followSystem);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.matchMedia(DARK).removeEventListener("change", followSystem);
  };
}

/** The theme that is shown, and the way to the other one. */
export function useTheme(): { theme: Theme; toggleTheme: () => void } {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  return { theme, toggleTheme: () => chooseTheme(theme === "dark" ? "light" : "dark") };
}

/** What was chosen: a theme, or that of the system. */
export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, storedChoice);
}
