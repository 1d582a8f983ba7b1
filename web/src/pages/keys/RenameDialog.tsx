import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { type Key, changeKey, keysQuery } from "../../api/keys.ts";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";

/** Give a key another name; programs that use it notice nothing. */
export function RenameDialog({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(apiKey.name);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeKey(apiKey.id, { name: name.trim() }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      onClose();
    },
  });
  const { errorByField, otherError } = errorsAbout(error, { name: "Name" });
  return (
    <FormDialog title="Rename key" submit="Save" busy={isPending} error={otherError} onSubmit={() => mutate()} onClose={onClose}>
      <TextField label="Name" name="key-name" autoComplete="off" required value={name} onChange={setName} error={errorByField.name} />
    </FormDialog>
  );
}
