import { Outlet } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { lazily } from "../ui/lazily.ts";
import { Navigation } from "./Navigation.tsx";
import styles from "./Shell.module.css";
import { useShortcuts } from "./shortcuts.ts";

const Palette = lazily(() => import("./Palette.tsx"), "Palette");
const ShortcutHelp = lazily(() => import("./ShortcutHelp.tsx"), "ShortcutHelp");

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
      <Suspense>
        {opened === "palette" ? <Palette onClose={close} /> : null}
        {opened === "help" ? <ShortcutHelp onClose={close} /> : null}
      </Suspense>
    </div>
  );
}
