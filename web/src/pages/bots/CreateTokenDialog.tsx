import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { type NewStatsToken, type StatsScope, createStatsToken, statsTokensQuery } from "../../api/statsTokens.ts";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { SecretDialog } from "../../ui/Dialog/SecretDialog.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { SCOPE_WORDS } from "./TokenTable.tsx";

export interface CreateTokenDialogProps {
  /** The bot that a token of one bot is for at first; "" for none. */
  botId: string;
  onClose: () => void;
}

const SCOPES: { value: StatsScope; label: string }[] = (["write", "bot", "read"] as const).map((value) => ({ value, label: `${value}: ${SCOPE_WORDS[value]}` }));

/** Make a token: its name and scope, then its secret, once. */
export function CreateTokenDialog({ botId, onClose }: CreateTokenDialogProps) {
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<StatsScope>("write");
  const [bot, setBot] = useState(botId);
  const { mutate, isPending, error, data: token } = useMutation({
    mutationFn: createStatsToken,
    // The secret is gone from memory with the dialog.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: statsTokensQuery.queryKey }),
  });
  if (token) return <Made token={token} onClose={onClose} />;
  const submit = () => mutate({ name: name.trim(), scope, ...(scope === "bot" ? { botId: bot.trim() } : {}) });
  const { about, rest } = errorsAbout(error, { name: "Name", botId: "Bot id" });
  return (
    <FormDialog
      title="Create token"
      description="A program feeds the listing with it. It has nothing to do with events."
      submit="Create token"
      busy={isPending}
      error={rest}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" required value={name} onChange={setName} hint="Where it will live: a bot, a bot list, a script." error={about.name} />
      <SelectField label="Scope" value={scope} onChange={(value) => setScope(value as StatsScope)} options={SCOPES} />
      {scope === "bot" ? (
        <TextField label="Bot id" autoComplete="off" required inputMode="numeric" value={bot} onChange={setBot} hint="17 to 19 digits. The bot need not be in the listing yet." error={about.botId} />
      ) : null}
    </FormDialog>
  );
}

function Made({ token, onClose }: { token: NewStatsToken; onClose: () => void }) {
  return (
    <SecretDialog
      description={
        <>
          Token <strong>{token.name}</strong> is ready. Tallyroom stores a fingerprint only: once
          this closes, nobody can show the secret again.
        </>
      }
      prefix={token.prefix}
      secret={token.secret}
      note={`It ${SCOPE_WORDS[token.scope]}.`}
      file={{ name: "stats.env", text: `STATS_TOKEN=${token.secret}\n` }}
      onClose={onClose}
    />
  );
}
