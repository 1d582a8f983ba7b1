import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import { type MouseEvent, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { identityQuery } from "../api/auth.ts";
import { ShortcutContext } from "../scope/ShortcutContext.ts";
import { useRestartByOtherTabs } from "../scope/otherTabs.ts";
import { droppedParts, parseSearch } from "../scope/search.ts";
import { toast } from "../ui/Toast/toast.ts";
import { lazily } from "../ui/lazily.ts";
import { Navigation } from "./Navigation.tsx";
import { FrameContext } from "./NothingHere.tsx";
import styles from "./Shell.module.css";
import { useShortcuts } from "./shortcuts.ts";

const Palette = lazily(() => import("./Palette.tsx"), "Palette");
const OtherWorkspace = lazily(() => import("./OtherWorkspace.tsx"), "OtherWorkspace");
const ShortcutList = lazily(() => import("./ShortcutList.tsx"), "ShortcutList");
const ShortcutHelp = lazily(() => import("./ShortcutHelp.tsx"), "ShortcutHelp");

/** The frame of every page for members: navigation at the left, the page, palette and shortcuts above it. */
export function Shell() {
  const { ask: linkedQuestion = "" } = useSearch({ strict: false });
  const [overlay, setOverlay] = useState<"palette" | "help" | null>(linkedQuestion === "" ? null : "palette");
  const typedAhead = useRef(linkedQuestion);
  const navigate = useNavigate();
  const close = () => {
    typedAhead.current = "";
    setOverlay(null);
    if (linkedQuestion !== "") void navigate({ to: ".", search: ({ ask: _ask, ...search }: { ask?: string }) => search, replace: true });
  };
  useDroppedPartsToast();
  useRestartByOtherTabs();
  useShortcuts({ onOpenPalette: () => setOverlay("palette"), onOpenHelp: () => setOverlay("help") });
  return (
    <div className={styles.shell}>
      <SkipLink />
      <Navigation onOpenPalette={() => setOverlay("palette")} onOpenHelp={() => setOverlay("help")} />
      <main className={styles.main} id="main" tabIndex={-1}>
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

/** The way past the navigation, for those who use the keyboard. */
function SkipLink() {
  const focusPage = (event: MouseEvent) => {
    event.preventDefault(); // the address stays that of the page
    document.getElementById("main")?.focus();
  };
  return (
    <a className={styles.skip} href="#main" onClick={focusPage}>
      Skip to the page
    </a>
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

/** Keeps what somebody types while the palette is on its way, who has pressed its keys and goes on at once. */
function TypeAheadBuffer({ typedAhead, onClose }: { typedAhead: RefObject<string>; onClose: () => void }) {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Escape") onClose();
      else if (event.key === "Backspace") typedAhead.current = typedAhead.current.slice(0, -1);
      else if (/^.$/u.test(event.key)) typedAhead.current += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener("keydown", handleKey, { capture: true });
    return () => document.removeEventListener("keydown", handleKey, { capture: true });
  });
  return null;
}

/** The address with which the app was opened: the router takes out of it what no page knows. */
const firstAddress = { path: window.location.pathname, search: window.location.search };

/** Say which parts of the address the app was opened with mean nothing to its page, and so were left out. */
function useDroppedPartsToast(): void {
  const search = useSearch({ strict: false });
  const [droppedText] = useState(() =>
    window.location.pathname === firstAddress.path ? droppedParts(parseSearch(firstAddress.search), search).join(", ") : "",
  );
  useEffect(() => {
    if (droppedText) toast({ text: `Ignored unknown parts of the URL: ${droppedText}` });
  }, [droppedText]);
}
