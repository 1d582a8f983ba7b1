import { useState } from "react";
import type { ExternalSource } from "../../api/externalSources.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { WorkDialog } from "../../scope/work/WorkDialog.tsx";
import { useWork } from "../../scope/work/useWork.ts";
import { PasswordField } from "../../ui/Field/PasswordField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import styles from "./Dialogs.module.css";
import { type SourceDraft, draftOf } from "./sourceDraft.ts";
import { useSaveSource } from "./useSaveSource.ts";

export interface EditDialogProps {
  /** The one that is edited; absent for a new one. */
  source?: ExternalSource;
  onClose: () => void;
}

/** Say which host widgets may ask, and which token they show it. */
export function EditDialog({ source, onClose }: EditDialogProps) {
  const work = useWork({ subject: `source ${source?.id ?? "new"}`, savedValue: draftOf(source), isNew: source === undefined });
  const { name: draftName, host: draftHost, headerName: draftHeader } = work.value;
  const updateDraft = (change: Partial<SourceDraft>) => work.change((draft) => ({ ...draft, ...change }));
  // A secret is no part of the draft: no browser keeps it.
  const [token, setToken] = useState("");
  const save = useSaveSource(source, onClose, work);
  const losesToken = source !== undefined && source.tokenPreview !== null && draftHost.trim() !== source.host && token === "";
  const submit = () =>
    save.mutate({ name: draftName.trim(), host: draftHost.trim(), headerName: draftHeader.trim() || null, ...(token ? { token } : {}) });
  const { errorByField, otherError } = errorsAbout(save.error, { name: "Name", host: "Host", headerName: "Header", token: "Token" });
  return (
    <WorkDialog
      work={work}
      noun="source"
      title={source ? "Edit source" : "New source"}
      description="Each widget can fetch one value from this host over HTTPS."
      submit={source ? "Save" : "Add source"}
      busy={save.isPending}
      error={otherError}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" required maxLength={120} value={draftName} onChange={(name) => updateDraft({ name })} error={errorByField.name} />
      <TextField
        label="Host"
        autoComplete="off"
        required
        spellCheck={false}
        autoCapitalize="none"
        placeholder="api.github.com"
        value={draftHost}
        onChange={(host) => updateDraft({ host })}
        error={errorByField.host}
        hint={losesToken ? "Changing the host clears the stored token." : undefined}
      />
      <TextField
        label="Header"
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        value={draftHeader}
        onChange={(headerName) => updateDraft({ headerName })}
        error={errorByField.headerName}
        hint={<>If empty, the token is sent as <code className={styles.code}>Authorization: Bearer</code>.</>}
      />
      <TokenField source={source} token={token} onChange={setToken} error={errorByField.token} />
    </WorkDialog>
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
