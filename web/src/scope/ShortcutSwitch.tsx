import { useState } from "react";
import { store, readStored } from "../core/storage.ts";
import { SwitchField } from "../ui/Field/SwitchField.tsx";

/** Turns the single keys off for this browser, for people whose voice or hands would press them by chance. */
export function ShortcutSwitch() {
  const [isOn, setOn] = useState(readStored("shortcuts") !== "off");
  const saveChoice = (checked: boolean) => {
    setOn(checked);
    store("shortcuts", checked ? null : "off");
  };
  return <SwitchField label="Single-key shortcuts" checked={isOn} onChange={saveChoice} />;
}
