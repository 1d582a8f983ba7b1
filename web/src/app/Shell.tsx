import { Outlet } from "@tanstack/react-router";
import { useState } from "react";
import { Navigation } from "./Navigation.tsx";
import { Palette } from "./Palette.tsx";
import { ShortcutHelp } from "./ShortcutHelp.tsx";
import styles from "./Shell.module.css";
import { useShortcuts } from "./shortcuts.ts";

/** The frame of every page for members: navigation at the left, the page, palette and shortcuts above it. */
export function Shell() {
  const [opened, setOpened] = useState<"palette" | "help" | null>(null);
  const close = () => setOpened(null);
  useShortcuts({ onPalette: () => setOpened("palette"), onHelp: () => setOpened("help") });
  return (
    <div className={styles.shell}>
      <Navigation onPalette={() => setOpened("palette")} onHelp={() => setOpened("help")} />
      <main className={styles.main} id="main">
        <Outlet />
      </main>
      {opened === "palette" ? <Palette onClose={close} /> : null}
      {opened === "help" ? <ShortcutHelp onClose={close} /> : null}
    </div>
  );
}
