import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil, Star, Trash2 } from "lucide-react";
import { useState } from "react";
import { type GroupKey, changeGroupKey, removeGroupKey } from "../api/groups.ts";
import { forgetAnswers } from "../api/placeholders.ts";
import { errorInLine } from "../api/words.ts";
import { ConfirmDialog } from "../ui/Dialog/ConfirmDialog.tsx";
import { FormDialog } from "../ui/Dialog/FormDialog.tsx";
import { TextField } from "../ui/Field/TextField.tsx";
import { Menu } from "../ui/Menu/Menu.tsx";
import { toast } from "../ui/Toast/toast.ts";

/** What a developer may do with a group key: give it another label, make it the default, remove it. */
export function GroupKeyMenu({ groupKey, onRemoved }: { groupKey: GroupKey; onRemoved?: () => void }) {
  const [openDialog, setOpenDialog] = useState<"rename" | "remove" | null>(null);
  const queryClient = useQueryClient();
  const refresh = () => forgetAnswers(queryClient);
  const defaultMutation = useMutation({
    mutationFn: () => changeGroupKey(groupKey.id, { makeDefault: true }),
    onSuccess: async () => {
      await refresh();
      toast({ text: `${groupKey.label} is now the default group key.` });
    },
    onError: (error) => toast({ text: errorInLine(error), tone: "error" }),
  });
  const removal = useMutation({
    mutationFn: () => removeGroupKey(groupKey.id),
    onSuccess: async () => {
      setOpenDialog(null);
      onRemoved?.();
      await refresh();
      toast({ text: `Group key ${groupKey.label} removed.` });
    },
  });
  const renameItem = { label: "Rename", icon: Pencil, onSelect: () => setOpenDialog("rename") };
  const defaultItem = { label: "Make default", icon: Star, onSelect: () => defaultMutation.mutate() };
  const removeItem = { label: "Remove key", icon: Trash2, danger: true, onSelect: () => setOpenDialog("remove") };
  return (
    <>
      <Menu label={`${groupKey.label} menu`} items={[renameItem, ...(groupKey.isDefault ? [] : [defaultItem]), "separator", removeItem]} />
      {openDialog === "rename" ? <RenameDialog groupKey={groupKey} onClose={() => setOpenDialog(null)} /> : null}
      {openDialog === "remove" ? (
        <ConfirmDialog
          title={`Remove ${groupKey.label}`}
          detail={`Groups by ${groupKey.propKey} disappear from lists and widgets. Events are kept. Register the key again to get its groups back.${groupKey.isDefault ? " The oldest remaining key becomes the default." : ""}`}
          confirm="Remove"
          busy={removal.isPending}
          error={removal.error ? errorInLine(removal.error) : null}
          onConfirm={() => removal.mutate()}
          onClose={() => setOpenDialog(null)}
        />
      ) : null}
    </>
  );
}

/** Give a group key another label. */
function RenameDialog({ groupKey, onClose }: { groupKey: GroupKey; onClose: () => void }) {
  const [label, setLabel] = useState(groupKey.label);
  const queryClient = useQueryClient();
  const rename = useMutation({
    mutationFn: () => changeGroupKey(groupKey.id, { label }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["/v1/groups/keys"] });
      onClose();
    },
  });
  return (
    <FormDialog
      title="Rename group key"
      submit="Save"
      busy={rename.isPending}
      error={rename.error ? errorInLine(rename.error) : null}
      onSubmit={() => rename.mutate()}
      onClose={onClose}
    >
      <TextField label="Label" value={label} onChange={setLabel} maxLength={80} hint={`Leave empty to use ${groupKey.propKey}.`} />
    </FormDialog>
  );
}
