import { Link } from "@tanstack/react-router";
import { buttonClass } from "../ui/Button/Button.tsx";
import { Page } from "../ui/Page/Page.tsx";
import { State } from "../ui/States/State.tsx";
import { FrameContent } from "./FrameContent.tsx";

/** The page for an address that leads nowhere. */
export function NothingHere() {
  return (
    <FrameContent>
      <Page title="Nothing here">
        <State
          strokes={4}
          title="Nothing here"
          detail="No page has this address. It may have been deleted, or belong to another workspace."
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
