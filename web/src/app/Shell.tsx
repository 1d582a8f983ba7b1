import { useQuery } from "@tanstack/react-query";
import { Outlet, useSearch } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import { identityQuery } from "../api/auth.ts";
import { ShortcutContext } from "../scope/ShortcutContext.ts";
import { useRestartByOtherTabs } from "../scope/otherTabs.ts";
import { lazily } from "../ui/lazily.ts";
import { FrameContext } from "./FrameContent.tsx";
import { Navigation } from "./Navigation.tsx";
import styles from "./Shell.module.css";
import { TypeAheadBuffer } from "./TypeAheadBuffer.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { useDroppedPartsToast } from "./useDropped.ts";

const Palette = lazily(() => import("./Palette.tsx"), "Palette");
const OtherWorkspace = lazily(() => import("./OtherWorkspace.tsx"), "OtherWorkspace");
const ShortcutList = lazily(() => import("./ShortcutList.tsx"), "ShortcutList");
const ShortcutHelp = lazily(() => import("./ShortcutHelp.tsx"), "ShortcutHelp");

/** The frame of every page for members: navigation at the left, the page, palette and shortcuts above it. */
export function Shell() {
  const [overlay, setOverlay] = useState<"palette" | "help" | null>(null);
  const typedAhead = useRef("");
  const close = () => {
    typedAhead.current = "";
    setOverlay(null);
  };
  useDroppedPartsToast();
  useRestartByOtherTabs();
  useShortcuts({ onOpenPalette: () => setOverlay("palette"), onOpenHelp: () => setOverlay("help") });
  return (
    <div className={styles.shell}>
      <Navigation onOpenPalette={() => setOverlay("palette")} onOpenHelp={() => setOverlay("help")} />
      <main className={styles.main} id="main">
        <ShortcutContext value={<ShortcutList />}>
          <FrameContext value>
            <Content />
          </FrameContext>
        </ShortcutContext>
      </main>
      <Suspense fallback={overlay === "palette" ? <TypeAheadBuffer typedAhead={typedAhead} onClose={close} /> : null}>
        {overlay === "palette" ? <Palette typedAhead={typedAhead} onClose={close} /> : null}
        {overlay === "help" ? <ShortcutHelp onClose={close} /> : null}
      </Suspense>
    </div>
  );
}

/** The page, or the way to the workspace that its address names. */
function Content() {
  const { w: workspaceId } = useSearch({ strict: false });
  const { data: identity } = useQuery(identityQuery);
  const currentWorkspace = identity?.workspace;
  const addressedWorkspace = identity?.workspaces.find(({ id }) => id === workspaceId);
  if (!currentWorkspace || !addressedWorkspace || addressedWorkspace.id === currentWorkspace.id) return <Outlet />;
  return (
    <Suspense>
      <OtherWorkspace id={addressedWorkspace.id} name={addressedWorkspace.name} currentName={currentWorkspace.name} />
    </Suspense>
  );
}
