import { useState } from "react";
import { paletteKeys } from "../core/keys.ts";
import { store, stored } from "../core/storage.ts";
import { Dialog } from "../ui/Dialog/Dialog.tsx";
import { SwitchField } from "../ui/Field/SwitchField.tsx";
import { Kbd } from "../ui/Badge/Kbd.tsx";
import { SHORTCUTS } from "./shortcuts.ts";
import styles from "./ShortcutHelp.module.css";

/** All shortcuts in a dialog, and the switch that turns the single keys off. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(stored("shortcuts") !== "off");
  const change = (checked: boolean) => {
    setOn(checked);
    store("shortcuts", checked ? null : "off");
  };
  return (
    <Dialog title="Shortcuts" onClose={onClose}>
      <dl className={styles.list}>
        {[{ keys: [paletteKeys()], words: "Search and commands" }, ...SHORTCUTS].map(({ keys, words }) => (
          <div key={words} className={styles.row}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <SwitchField label="Single-key shortcuts" checked={on} onChange={change} />
    </Dialog>
  );
}
