import { createContext } from "react";

/** The level of the heading under which something stands: headings within it begin one deeper. */
export const HeadingLevel = createContext(2);
