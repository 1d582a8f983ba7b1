import { type ReactNode, createContext } from "react";

/** The list of the app's shortcuts, for pages that show it: the app knows them, its pages do not know the app. */
export const ShortcutContext = createContext<ReactNode>(null);
