import { Outlet } from "@tanstack/react-router";
import { Suspense, useRef, useState } from "react";
import { ShortcutContext } from "../scope/ShortcutContext.ts";
import { useOtherTabs } from "../scope/otherTabs.ts";
import { lazily } from "../ui/lazily.ts";
import { FrameContext } from "./Framed.tsx";
import { Navigation } from "./Navigation.tsx";
import styles from "./Shell.module.css";
import { TypedAhead } from "./TypedAhead.tsx";
import { SHORTCUTS, useShortcuts } from "./shortcuts.ts";
import { useDropped } from "./useDropped.ts";

const Palette = lazily(() => import("./Palette.tsx"), "Palette");
const ShortcutHelp = lazily(() => import("./ShortcutHelp.tsx"), "ShortcutHelp");

/** The frame of every page for members: navigation at the left, the page, palette and shortcuts above it. */
export function Shell() {
  const [opened, setOpened] = useState<"palette" | "help" | null>(null);
  const typed = useRef("");
  const close = () => {
    typed.current = "";
    setOpened(null);
  };
  useDropped();
  useOtherTabs();
  useShortcuts({ onPalette: () => setOpened("palette"), onHelp: () => setOpened("help") });
  return (
    <div className={styles.shell}>
      <Navigation onPalette={() => setOpened("palette")} onHelp={() => setOpened("help")} />
      <main className={styles.main} id="main">
        <ShortcutContext value={SHORTCUTS}>
          <FrameContext value>
            <Outlet />
          </FrameContext>
        </ShortcutContext>
      </main>
      <Suspense fallback={opened === "palette" ? <TypedAhead typed={typed} onClose={close} /> : null}>
        {opened === "palette" ? <Palette typedAhead={typed} onClose={close} /> : null}
        {opened === "help" ? <ShortcutHelp onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
