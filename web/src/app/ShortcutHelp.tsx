import { useQuery } from "@tanstack/react-query";
import { readinessQuery } from "../api/system.ts";
import { ShortcutSwitch } from "../scope/ShortcutSwitch.tsx";
import { Dialog } from "../ui/Dialog/Dialog.tsx";
import styles from "./ShortcutHelp.module.css";
import { ShortcutList } from "./ShortcutList.tsx";

/** All shortcuts in a dialog, the switch that turns the single keys off, and which version runs. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { data: readiness } = useQuery(readinessQuery);
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <ShortcutSwitch />
      <ShortcutList />
      {readiness ? <p className={styles.version}>Tallyroom {readiness.version}</p> : null}
    </Dialog>
  );
}
