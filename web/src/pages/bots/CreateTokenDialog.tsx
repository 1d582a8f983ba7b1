import { useMutation, useQueryClient } from "@tanstack/react-query";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { type NewStatsToken, type StatsScope, createStatsToken, statsTokensQuery } from "../../api/statsTokens.ts";
import { WorkDialog } from "../../scope/work/WorkDialog.tsx";
import { useWork } from "../../scope/work/useWork.ts";
import { SecretDialog } from "../../ui/Dialog/SecretDialog.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { SCOPE_WORDS } from "./TokenTable.tsx";

export interface CreateTokenDialogProps {
  /** The bot that a token of one bot is for at first; "" for none. */
  initialBotId: string;
  onClose: () => void;
}

const SCOPE_OPTIONS: { value: StatsScope; label: string }[] = (["write", "bot", "read"] as const).map((value) => ({ value, label: `${value}: ${SCOPE_WORDS[value]}` }));

/** A token before it is made, without its secret, which does not exist yet. */
interface TokenDraft {
  name: string;
  scope: StatsScope;
  botId: string;
}

const newDraft = (botId: string): TokenDraft => ({ name: "", scope: "write", botId });

/** Make a token: its name and scope, then its secret, once. */
export function CreateTokenDialog({ initialBotId, onClose }: CreateTokenDialogProps) {
  const queryClient = useQueryClient();
  const work = useWork({ subject: `bot token new ${initialBotId}`, savedValue: newDraft(initialBotId), isNew: true });
  const { name, scope, botId } = work.value;
  const updateDraft = (change: Partial<TokenDraft>) => work.change((draft) => ({ ...draft, ...change }));
  const { mutate, isPending, error, data: token } = useMutation({
    mutationFn: createStatsToken,
    // The secret is gone from memory with the dialog.
    gcTime: 0,
    onSuccess: () => {
      work.finish();
      return queryClient.invalidateQueries({ queryKey: statsTokensQuery.queryKey });
    },
  });
  if (token) return <CreatedTokenDialog token={token} onClose={onClose} />;
  const submit = () => mutate({ name: name.trim(), scope, ...(scope === "bot" ? { botId: botId.trim() } : {}) });
  const { errorByField, otherError } = errorsAbout(error, { name: "Name", botId: "Bot ID" });
  return (
    <WorkDialog
      work={work}
      noun="token"
      title="Create token"
      description="Lets a program send data to the listing. To send events, use an API key."
      submit="Create token"
      busy={isPending}
      error={otherError}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" required value={name} onChange={(text) => updateDraft({ name: text })} hint="Where you'll use it, such as a bot, a bot list or a script." error={errorByField.name} />
      <SelectField label="Scope" value={scope} onChange={(value) => updateDraft({ scope: value as StatsScope })} options={SCOPE_OPTIONS} />
      {scope === "bot" ? (
        <TextField label="Bot ID" autoComplete="off" required inputMode="numeric" value={botId} onChange={(text) => updateDraft({ botId: text })} hint="17 to 19 digits. The bot doesn't have to be listed yet." error={errorByField.botId} />
      ) : null}
    </WorkDialog>
  );
}

function CreatedTokenDialog({ token, onClose }: { token: NewStatsToken; onClose: () => void }) {
  return (
    <SecretDialog
      description={
        <>
          Token <strong>{token.name}</strong> is ready. Copy it now. You won't see it again.
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
