import { useState } from "react";
import type { ExternalSource } from "../../api/externalSources.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { PasswordField } from "../../ui/Field/PasswordField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import styles from "./Dialogs.module.css";
import { useSaveSource } from "./useSaveSource.ts";

export interface EditDialogProps {
  /** The one that is edited; absent for a new one. */
  source?: ExternalSource;
  onClose: () => void;
}

/** Say which host widgets may ask, and which token they show it. */
export function EditDialog({ source, onClose }: EditDialogProps) {
  const [fields, setFields] = useState({ name: source?.name ?? "", host: source?.host ?? "", headerName: source?.headerName ?? "", token: "" });
  const updateFields = (change: Partial<typeof fields>) => setFields({ ...fields, ...change });
  const save = useSaveSource(source, onClose);
  const losesToken = source !== undefined && source.tokenPreview !== null && fields.host.trim() !== source.host && fields.token === "";
  const submit = () => {
    const { token, headerName } = fields;
    save.mutate({ name: fields.name.trim(), host: fields.host.trim(), headerName: headerName.trim() || null, ...(token ? { token } : {}) });
  };
  const { errorByField, otherError } = errorsAbout(save.error, { name: "Name", host: "Host", headerName: "Header", token: "Token" });
  return (
    <FormDialog
      title={source ? "Edit source" : "New source"}
      description="Each widget can fetch one value from this host over HTTPS."
      submit={source ? "Save" : "Add source"}
      busy={save.isPending}
      error={otherError}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" required maxLength={120} value={fields.name} onChange={(name) => updateFields({ name })} error={errorByField.name} />
      <TextField
        label="Host"
        autoComplete="off"
        required
        spellCheck={false}
        autoCapitalize="none"
        placeholder="api.github.com"
        value={fields.host}
        onChange={(host) => updateFields({ host })}
        error={errorByField.host}
        hint={losesToken ? "Changing the host clears the stored token." : undefined}
      />
      <TextField
        label="Header"
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        value={fields.headerName}
        onChange={(headerName) => updateFields({ headerName })}
        error={errorByField.headerName}
        hint={<>If empty, the token is sent as <code className={styles.code}>Authorization: Bearer</code>.</>}
      />
      <TokenField source={source} token={fields.token} onChange={(token) => updateFields({ token })} error={errorByField.token} />
    </FormDialog>
  );
}

interface TokenFieldProps {
  source: ExternalSource | undefined;
  token: string;
  onChange: (token: string) => void;
  error: string | null;
}

function TokenField({ source, ...fieldProps }: TokenFieldProps) {
  const preview = source?.tokenPreview ?? null;
  return (
    <PasswordField
      label="Token"
      autoComplete="off"
      value={fieldProps.token}
      onChange={fieldProps.onChange}
      error={fieldProps.error}
      hint={preview === null ? "Only if the host requires one. It's encrypted and never shown again." : `Leave empty to keep ${preview}.`}
    />
  );
}
