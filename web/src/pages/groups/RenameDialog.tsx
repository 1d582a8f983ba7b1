import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { type GroupKey, changeGroupKey } from "../../api/groups.ts";
import { errorInLine } from "../../api/words.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";

/** Give a group key another label. */
export function RenameDialog({ shown, onClose }: { shown: GroupKey; onClose: () => void }) {
  const form = useId();
  const [label, setLabel] = useState(shown.label);
  const queryClient = useQueryClient();
  const rename = useMutation({
    mutationFn: () => changeGroupKey(shown.id, { label }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["/v1/groups/keys"] });
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!rename.isPending) rename.mutate();
  };
  return (
    <Dialog
      title="Rename group key"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={rename.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField label="Label" value={label} onChange={setLabel} maxLength={80} hint={`Empty means ${shown.propKey}.`} />
        <FormError text={rename.error ? errorInLine(rename.error) : null} />
      </form>
    </Dialog>
  );
}
