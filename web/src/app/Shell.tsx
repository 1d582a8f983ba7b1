import { Outlet } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { ShortcutContext } from "../scope/ShortcutContext.ts";
import { useOtherTabs } from "../scope/otherTabs.ts";
import { lazily } from "../ui/lazily.ts";
import { FrameContext } from "./Framed.tsx";
import { Navigation } from "./Navigation.tsx";
import styles from "./Shell.module.css";
import { SHORTCUTS, useShortcuts } from "./shortcuts.ts";
import { useDropped } from "./useDropped.ts";

const loadPalette = () => import("./Palette.tsx");
const Palette = lazily(loadPalette, "Palette");
const ShortcutHelp = lazily(() => import("./ShortcutHelp.tsx"), "ShortcutHelp");

/** After the first page has asked for its data, in milliseconds. */
const SOON_MS = 300;

/** The frame of every page for members: navigation at the left, the page, palette and shortcuts above it. */
export function Shell() {
  const [opened, setOpened] = useState<"palette" | "help" | null>(null);
  const close = () => setOpened(null);
  // Whoever presses its keys goes on typing at once, so it is there before it is wanted.
  useEffect(() => {
    const timer = window.setTimeout(() => void loadPalette(), SOON_MS);
    return () => window.clearTimeout(timer);
  }, []);
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
      <Suspense>
        {opened === "palette" ? <Palette onClose={close} /> : null}
        {opened === "help" ? <ShortcutHelp onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
