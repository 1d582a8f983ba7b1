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
  kind: GroupKey;
  onRemoved?: () => void;
}

/** What a developer may do with a group key: give it another label, make it the default, remove it. */
export function GroupKeyMenu({ kind, onRemoved }: GroupKeyMenuProps) {
  const [dialog, setDialog] = useState<"rename" | "remove" | null>(null);
  const queryClient = useQueryClient();
  const refresh = () => forgetAnswers(queryClient);
  const makeDefault = useMutation({
    mutationFn: () => changeGroupKey(kind.id, { makeDefault: true }),
    onSuccess: async () => {
      await refresh();
      toast({ text: `Widgets that count groups now count by ${kind.label}.` });
    },
    onError: (error) => toast({ text: errorInLine(error), tone: "error" }),
  });
  const remove = useMutation({
    mutationFn: () => removeGroupKey(kind.id),
    onSuccess: async () => {
      setDialog(null);
      onRemoved?.();
      await refresh();
      toast({ text: `${kind.label} is no group key any more. Its events are as they were.` });
    },
  });
  const rename = { label: "Rename", icon: Pencil, onSelect: () => setDialog("rename") };
  const star = { label: "Make default", icon: Star, onSelect: () => makeDefault.mutate() };
  const trash = { label: "Remove key", icon: Trash2, danger: true, onSelect: () => setDialog("remove") };
  return (
    <>
      <Menu label={`${kind.label} menu`} items={[rename, ...(kind.isDefault ? [] : [star]), "separator", trash]} />
      {dialog === "rename" ? <RenameDialog kind={kind} onClose={() => setDialog(null)} /> : null}
      {dialog === "remove" ? (
        <ConfirmDialog
          title={`Remove ${kind.label}`}
          detail={`Groups by ${kind.propKey} are no longer listed, and widgets that count by it change. No event is changed: registering it again brings all of its groups back.${kind.isDefault ? " The oldest remaining key becomes the default." : ""}`}
          confirm="Remove"
          busy={remove.isPending}
          error={remove.error ? errorInLine(remove.error) : null}
          onConfirm={() => remove.mutate()}
          onClose={() => setDialog(null)}
        />
      ) : null}
    </>
  );
}
