import { Copy, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../src/ui/Button/Button.tsx";
import { Combobox } from "../src/ui/Combobox/Combobox.tsx";
import { ConfirmDialog } from "../src/ui/Dialog/ConfirmDialog.tsx";
import { Dialog } from "../src/ui/Dialog/Dialog.tsx";
import { TextField } from "../src/ui/Field/TextField.tsx";
import { Menu } from "../src/ui/Menu/Menu.tsx";
import { Popover } from "../src/ui/Popover/Popover.tsx";
import { toast } from "../src/ui/Toast/toast.ts";
import { Shelf } from "./Shelf.tsx";

const undone = { label: "Undo", onAct: () => toast({ text: "The widget is back." }) };

/** What opens above the page. */
export function Overlays() {
  const [opened, setOpened] = useState<"dialog" | "confirm" | null>(null);
  const [text, setText] = useState("");
  const close = () => setOpened(null);
  return (
    <Shelf name="Dialog, Menu, Popover, Toast">
      <Button onClick={() => setOpened("dialog")}>Open dialog</Button>
      <Button onClick={() => setOpened("confirm")}>Ask before</Button>
      <Menu
        label="Widget menu"
        items={[
          { label: "Edit widget", icon: Pencil, onSelect: () => setOpened("dialog"), hint: "e" },
          { label: "Copy link", icon: Copy, onSelect: () => toast({ text: "Copied" }) },
          "separator",
          { label: "Delete", icon: Trash2, danger: true, onSelect: () => setOpened("confirm") },
        ]}
      />
      <Popover label="Rename" trigger={<Button>Open popover</Button>}>
        {(done) => (
          <>
            <TextField label="Name" value={text} onChange={setText} />
            <Button onClick={done}>Done</Button>
          </>
        )}
      </Popover>
      <Button onClick={() => toast({ text: "The widget is deleted.", action: undone })}>Toast</Button>
      <Button onClick={() => toast({ text: "Can't reach the server.", tone: "error" })}>Error toast</Button>
      {opened === "dialog" ? (
        <Dialog title="Edit" description="What it is called." onClose={close} footer={<Button variant="primary" onClick={close}>Save</Button>}>
          <TextField label="Title" value={text} onChange={setText} />
          <Combobox label="Event" value={text} onChange={setText} options={[{ value: "track.play" }, { value: "track.skip" }]} textJudge="any" />
        </Dialog>
      ) : null}
      {opened === "confirm" ? (
        <ConfirmDialog
          title="Revoke this key"
          detail="Whatever sends with it is refused from then on."
          confirm="Revoke"
          requiredWord="tr_test_4xQm"
          onConfirm={close}
          onClose={close}
        />
      ) : null}
    </Shelf>
  );
}
