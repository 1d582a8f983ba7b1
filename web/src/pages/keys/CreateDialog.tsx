import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { environmentChoices, environmentsQuery } from "../../api/environments.ts";
import { createKey, keysQuery } from "../../api/keys.ts";
import { errorAbout, errorInLine } from "../../api/words.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import styles from "./Dialogs.module.css";
import { SecretDialog } from "./SecretDialog.tsx";

export interface CreateDialogProps {
  /** The environment that is chosen at first. */
  environment: string;
  onClose: () => void;
}

/** Make a key: its name and environment, then its secret, once. */
export function CreateDialog({ environment, onClose }: CreateDialogProps) {
  const form = useId();
  const queryClient = useQueryClient();
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState(environment);
  const { mutate, isPending, error, data: key } = useMutation({
    mutationFn: createKey,
    // The secret is gone from memory with the dialog.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  if (key) return <SecretDialog created={key} onClose={onClose} />;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isPending) mutate({ name: name.trim(), environment: chosen });
  };
  const aboutName = errorAbout(error, "name", "Name");
  const aboutEnvironment = errorAbout(error, "environment", "Environment");
  return (
    <Dialog
      title="Create key"
      description="It writes to one environment, and it can read there."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={isPending}>
            Create key
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        <TextField
          label="Name"
          name="key-name"
          autoComplete="off"
          required
          value={name}
          onChange={setName}
          hint="Where it will live: a service, a website, a laptop."
          error={aboutName}
        />
        <SelectField
          label="Environment"
          value={chosen}
          onChange={setChosen}
          options={environmentChoices(environments, chosen)}
          error={aboutEnvironment}
        />
        <FormError text={error && !aboutName && !aboutEnvironment ? errorInLine(error) : null} />
      </form>
    </Dialog>
  );
}
