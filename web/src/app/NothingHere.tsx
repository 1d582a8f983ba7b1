import { Link } from "@tanstack/react-router";
import { type ReactNode, createContext, useContext } from "react";
import { buttonClass } from "../ui/Button/Button.tsx";
import { Page } from "../ui/Page/Page.tsx";
import { State } from "../ui/States/State.tsx";

/** Whether a page is within the frame of members, which has the main landmark. */
export const FrameContext = createContext(false);

/** Shows what replaces a page that is not there, in its frame or alone. */
export function FrameContent({ children }: { children: ReactNode }) {
  return useContext(FrameContext) ? children : <main>{children}</main>;
}

/** The page for an address that leads nowhere. */
export function NothingHere() {
  return (
    <FrameContent>
      <Page title="Nothing here">
        <State
          strokes={4}
          title="Nothing here"
          detail="It may have been deleted or belong to another workspace."
          action={
            <Link to="/dashboards" className={buttonClass()}>
              All dashboards
            </Link>
          }
        />
      </Page>
    </FrameContent>
  );
}
