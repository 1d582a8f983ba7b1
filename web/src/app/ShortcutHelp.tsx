import { ShortcutList } from "../scope/ShortcutList.tsx";
import { ShortcutSwitch } from "../scope/ShortcutSwitch.tsx";
import { Dialog } from "../ui/Dialog/Dialog.tsx";
import { SHORTCUTS } from "./shortcuts.ts";

/** All shortcuts in a dialog, and the switch that turns the single keys off. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <ShortcutList shortcuts={SHORTCUTS} />
      <ShortcutSwitch />
    </Dialog>
  );
}
