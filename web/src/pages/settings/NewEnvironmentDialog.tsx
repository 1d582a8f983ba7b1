import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createEnvironment, environmentsQuery } from "../../api/environments.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { ApiExample } from "../../ui/Code/ApiExample.tsx";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { toast } from "../../ui/Toast/toast.ts";

/** Make an environment; it keeps its events for ever until somebody says otherwise. */
export function NewEnvironmentDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [label, setLabel] = useState("");
  const queryClient = useQueryClient();
  const body = { name: name.trim(), ...(label.trim() === "" ? {} : { displayName: label.trim() }) };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => createEnvironment(body),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: environmentsQuery.queryKey });
      toast({ text: `Created “${body.displayName ?? body.name}”. It needs its own API key.` });
      onClose();
    },
  });
  const { errorByField, otherError } = errorsAbout(error, { name: "Name", displayName: "Display name" });
  return (
    <FormDialog
      title="New environment"
      description="Each environment keeps its own events."
      submit="Create environment"
      busy={isPending}
      error={otherError}
      footnote={<ApiExample request={{ method: "POST", path: "/v1/environments", body: { ...body, name: body.name || "staging" } }} />}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoComplete="off"
        spellCheck={false}
        required
        maxLength={40}
        value={name}
        onChange={setName}
        hint="Used in code: a to z, 0 to 9, - and _. You can't change it later."
        error={errorByField.name}
      />
      <TextField
        label="Display name"
        autoComplete="off"
        maxLength={80}
        value={label}
        onChange={setLabel}
        placeholder={name}
        hint="Shown instead of the name."
        error={errorByField.displayName}
      />
    </FormDialog>
  );
}
