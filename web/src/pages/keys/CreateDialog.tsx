import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { environmentChoices, environmentsQuery } from "../../api/environments.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { type NewKey, createKey, keysQuery } from "../../api/keys.ts";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { SecretDialog } from "../../ui/Dialog/SecretDialog.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { FirstEvent } from "./FirstEvent.tsx";
import { KIND_CHOICES, RIGHTS_BY_KIND } from "./kinds.ts";

export interface CreateDialogProps {
  /** The environment that is chosen at first. */
  initialEnvironment: string;
  onClose: () => void;
}

/** Make a key: its name, environment and kind, then its secret, once. */
export function CreateDialog({ initialEnvironment, onClose }: CreateDialogProps) {
  const queryClient = useQueryClient();
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [name, setName] = useState("");
  const [environmentName, setEnvironmentName] = useState(initialEnvironment);
  const [kind, setKind] = useState<NewKey["kind"]>("ingest");
  const { mutate, isPending, error, data: newKey } = useMutation({
    mutationFn: createKey,
    // The secret is gone from memory with the dialog.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  if (newKey) return <CreatedKeyDialog newKey={newKey} onClose={onClose} />;
  const { errorByField, otherError } = errorsAbout(error, { name: "Name", environment: "Environment", kind: "Kind" });
  return (
    <FormDialog
      title="Create key"
      description="A key belongs to one environment."
      submit="Create key"
      busy={isPending}
      error={otherError}
      onSubmit={() => mutate({ name: name.trim(), environment: environmentName, kind })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        name="key-name"
        autoComplete="off"
        required
        value={name}
        onChange={setName}
        hint="Where you'll use it, such as a service, a website or a laptop."
        error={errorByField.name}
      />
      <SelectField
        label="Environment"
        value={environmentName}
        onChange={setEnvironmentName}
        options={environmentChoices(environments, environmentName)}
        error={errorByField.environment}
      />
      <SelectField
        label="Kind"
        value={kind}
        onChange={(value) => setKind(value as NewKey["kind"])}
        options={KIND_CHOICES}
        hint={`${RIGHTS_BY_KIND.ingest} ${RIGHTS_BY_KIND.secret}`}
        error={errorByField.kind}
      />
    </FormDialog>
  );
}

/** The secret of a new key, this one time. */
function CreatedKeyDialog({ newKey, onClose }: { newKey: NewKey; onClose: () => void }) {
  const { name, environment, kind, prefix, secret } = newKey;
  return (
    <SecretDialog
      secret={secret}
      prefix={prefix}
      file={{ name: `${environment}.env`, text: `TALLYROOM_KEY=${secret}\n` }}
      description={
        <>
          Key <strong>{name}</strong> is ready. Copy it now. You won't see it again.
        </>
      }
      example={<FirstEvent newKey={newKey} />}
      note={kind === "ingest" ? `It can send events to ${environment}, and read nothing.` : `It can write and read in ${environment}.`}
      onClose={onClose}
    />
  );
}
