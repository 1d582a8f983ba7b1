import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Pencil, Star, Trash2 } from "lucide-react";
import { useState } from "react";
import { type GroupKey, changeGroupKey, removeGroupKey } from "../api/groups.ts";
import { forgetAnswers } from "../api/placeholders.ts";
import { errorInLine } from "../api/words.ts";
import { ConfirmDialog } from "../ui/Dialog/ConfirmDialog.tsx";
import { Menu } from "../ui/Menu/Menu.tsx";
import { toast } from "../ui/Toast/toast.ts";
import { RenameDialog } from "./RenameDialog.tsx";

export interface GroupKeyMenuProps {
  groupKey: GroupKey;
  onRemoved?: () => void;
}

/** What a developer may do with a group key: give it another label, make it the default, remove it. */
export function GroupKeyMenu({ groupKey, onRemoved }: GroupKeyMenuProps) {
  const [openDialog, setOpenDialog] = useState<"rename" | "remove" | null>(null);
  const queryClient = useQueryClient();
  const refresh = () => forgetAnswers(queryClient);
  const defaultMutation = useMutation({
    mutationFn: () => changeGroupKey(groupKey.id, { makeDefault: true }),
    onSuccess: async () => {
      await refresh();
      toast({ text: `Widgets that count groups now count by ${groupKey.label}.` });
    },
    onError: (error) => toast({ text: errorInLine(error), tone: "error" }),
  });
  const removal = useMutation({
    mutationFn: () => removeGroupKey(groupKey.id),
    onSuccess: async () => {
      setOpenDialog(null);
      onRemoved?.();
      await refresh();
      toast({ text: `${groupKey.label} is no group key any more. Its events are as they were.` });
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
          detail={`Groups by ${groupKey.propKey} are no longer listed, and widgets that count by it change. No event is changed: registering it again brings all of its groups back.${groupKey.isDefault ? " The oldest remaining key becomes the default." : ""}`}
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
