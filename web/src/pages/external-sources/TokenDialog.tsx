import { useState } from "react";
import type { ExternalSource } from "../../api/externalSources.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { PasswordField } from "../../ui/Field/PasswordField.tsx";
import { useSaveSource } from "./useSaveSource.ts";

/** Give a source another token, and change nothing else. */
export function TokenDialog({ source, onClose }: { source: ExternalSource; onClose: () => void }) {
  const [token, setToken] = useState("");
  const save = useSaveSource(source, onClose);
  const { errorByField, otherError } = errorsAbout(save.error, { token: "Token" });
  return (
    <FormDialog
      title={source.tokenPreview === null ? "Add token" : "Replace token"}
      description={`It's encrypted, only sent to ${source.host} and never shown again.`}
      submit={source.tokenPreview === null ? "Add token" : "Replace token"}
      busy={save.isPending}
      error={otherError}
      onSubmit={() => save.mutate({ token })}
      onClose={onClose}
    >
      <PasswordField label="Token" autoComplete="off" required value={token} onChange={setToken} error={errorByField.token} />
    </FormDialog>
  );
}
