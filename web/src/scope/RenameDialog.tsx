import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type GroupKey, changeGroupKey } from "../api/groups.ts";
import { errorInLine } from "../api/words.ts";
import { FormDialog } from "../ui/Dialog/FormDialog.tsx";
import { TextField } from "../ui/Field/TextField.tsx";

/** Give a group key another label. */
export function RenameDialog({ groupKey, onClose }: { groupKey: GroupKey; onClose: () => void }) {
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
      <TextField label="Label" value={label} onChange={setLabel} maxLength={80} hint={`Empty means ${groupKey.propKey}.`} />
    </FormDialog>
  );
}
