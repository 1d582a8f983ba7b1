import { createContext } from "react";

/** A shortcut and what it does. */
export interface Shortcut {
  keys: string[];
  words: string;
}

/** The shortcuts of the whole app, for pages that list them: the app knows them, its pages do not know the app. */
export const ShortcutContext = createContext<readonly Shortcut[]>([]);
