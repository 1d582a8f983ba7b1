import { type ReactNode, createContext, useContext } from "react";

/** Whether a page stands within the frame of members, which has the main landmark. */
export const FrameContext = createContext(false);

/** What stands in place of a page that is not there, in its frame or alone. */
export function FrameContent({ children }: { children: ReactNode }) {
  return useContext(FrameContext) ? children : <main>{children}</main>;
}
