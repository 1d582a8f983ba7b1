import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { environmentsQuery } from "../../api/environments.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { type TokenFields, type TokenScope, createToken, tokensQuery } from "../../api/tokens.ts";
import { ApiExample } from "../../ui/Code/ApiExample.tsx";
import { WorkDialog } from "../../scope/work/WorkDialog.tsx";
import { useWork } from "../../scope/work/useWork.ts";
import { SecretDialog } from "../../ui/Dialog/SecretDialog.tsx";
import { CheckField } from "../../ui/Field/CheckField.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import styles from "./Form.module.css";
import { LIFETIME_OPTIONS, SCOPES, expiryOf } from "./tokens.ts";

/** A token before it is made, without its secret, which does not exist yet. */
interface TokenDraft {
  name: string;
  scopes: TokenScope[];
  /** "" for all of them. */
  environment: string;
  /** In days, as the list has it. */
  lifetime: string;
}

const INITIAL_DRAFT: TokenDraft = { name: "", scopes: ["read"], environment: "", lifetime: "90" };

/** Make a personal access token: what it may do, where and for how long; then its secret, once. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [now] = useState(Date.now);
  const work = useWork({ subject: "token new", savedValue: INITIAL_DRAFT, isNew: true });
  const { name, scopes, environment, lifetime } = work.value;
  const updateDraft = (change: Partial<TokenDraft>) => work.change((draft) => ({ ...draft, ...change }));
  const queryClient = useQueryClient();
  const body: TokenFields = { name: name.trim(), scopes, environment: environment || null, expiresAt: expiryOf(lifetime, now) };
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => createToken(body),
    // The secret is gone from memory with the dialog.
    gcTime: 0,
    onSuccess: () => {
      work.finish();
      return queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  });
  if (data) {
    return (
      <SecretDialog
        secret={data.secret}
        prefix={data.prefix}
        description={`Token ${data.name} is ready. Copy it now. You won't see it again.`}
        note={`It can ${data.scopes.join(", ")}${data.environment === null ? "" : ` in ${data.environment}`}.`}
        file={{ name: "token.env", text: `TALLYROOM_TOKEN=${data.secret}\n` }}
        onClose={onClose}
      />
    );
  }
  const { errorByField, otherError } = errorsAbout(error, { name: "Name" });
  return (
    <WorkDialog
      work={work}
      noun="token"
      title="New token"
      submit="Create token"
      disabled={scopes.length === 0}
      busy={isPending}
      error={otherError}
      footnote={<ApiExample request={{ method: "POST", path: "/v1/tokens", body: { ...body, name: body.name || "weekly report" } }} />}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoComplete="off"
        required
        value={name}
        onChange={(text) => updateDraft({ name: text })}
        hint="A name you'll recognize, such as weekly report."
        error={errorByField.name}
      />
      <ScopeFields scopes={scopes} onChange={(newScopes) => updateDraft({ scopes: newScopes })} />
      <SelectField
        label="Environment"
        value={environment}
        onChange={(value) => updateDraft({ environment: value })}
        options={[
          { value: "", label: "All environments" },
          ...environments.map(({ name: value, displayName }) => ({ value, label: displayName ?? value })),
        ]}
      />
      <SelectField label="Expires after" value={lifetime} onChange={(value) => updateDraft({ lifetime: value })} options={LIFETIME_OPTIONS} />
    </WorkDialog>
  );
}

function ScopeFields({ scopes, onChange }: { scopes: TokenScope[]; onChange: (scopes: TokenScope[]) => void }) {
  return (
    <fieldset className={styles.scopes}>
      <legend>Scopes</legend>
      {SCOPES.map(({ scope, hint }) => (
        <CheckField
          key={scope}
          label={scope}
          hint={hint}
          checked={scopes.includes(scope)}
          onChange={(isChecked) =>
            onChange(SCOPES.map((entry) => entry.scope).filter((entry) => (entry === scope ? isChecked : scopes.includes(entry))))
          }
        />
      ))}
    </fieldset>
  );
}
