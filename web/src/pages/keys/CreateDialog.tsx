import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { environmentChoices, environmentsQuery } from "../../api/environments.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { createKey, keysQuery } from "../../api/keys.ts";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { SecretDialog } from "./SecretDialog.tsx";

export interface CreateDialogProps {
  /** The environment that is chosen at first. */
  initialEnvironment: string;
  onClose: () => void;
}

/** Make a key: its name and environment, then its secret, once. */
export function CreateDialog({ initialEnvironment, onClose }: CreateDialogProps) {
  const queryClient = useQueryClient();
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [name, setName] = useState("");
  const [environmentName, setEnvironmentName] = useState(initialEnvironment);
  const { mutate, isPending, error, data: newKey } = useMutation({
    mutationFn: createKey,
    // The secret is gone from memory with the dialog.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  if (newKey) return <SecretDialog newKey={newKey} onClose={onClose} />;
  const { errorByField, otherError } = errorsAbout(error, { name: "Name", environment: "Environment" });
  return (
    <FormDialog
      title="Create key"
      description="It writes to one environment, and it can read there."
      submit="Create key"
      busy={isPending}
      error={otherError}
      onSubmit={() => mutate({ name: name.trim(), environment: environmentName })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="key-name"
        autoComplete="off"
        required
        value={name}
        onChange={setName}
        hint="Where it will live: a service, a website, a laptop."
        error={errorByField.name}
      />
      <SelectField
        label="Environment"
        value={environmentName}
        onChange={setEnvironmentName}
        options={environmentChoices(environments, environmentName)}
        error={errorByField.environment}
      />
    </FormDialog>
  );
}
