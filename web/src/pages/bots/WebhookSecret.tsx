import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { deleteWebhookSecret, setWebhookSecret, webhookSecretQuery } from "../../api/bots.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { errorInLine } from "../../api/words.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { PasswordField } from "../../ui/Field/PasswordField.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import styles from "./WebhookSecret.module.css";

/** The secret with which a bot list signs the webhooks of a bot: it can be set and deleted, and is never shown. */
export function WebhookSecret({ botId, mayWrite }: { botId: string; mayWrite: boolean }) {
  const { data: isSet } = useQuery(webhookSecretQuery(botId));
  const [openDialog, setOpenDialog] = useState<"set" | "delete" | null>(null);
  const close = () => setOpenDialog(null);
  return (
    <div className={styles.secret}>
      <p>
        <span className={styles.label}>Webhook secret</span> {isSet === undefined ? "" : isSet ? "is set" : "is not set; signed webhooks are refused"}
      </p>
      {mayWrite ? (
        <div className={styles.ways}>
          <Button small onClick={() => setOpenDialog("set")}>
            {isSet ? "Replace secret" : "Set secret"}
          </Button>
          {isSet ? (
            <Button small variant="quiet" onClick={() => setOpenDialog("delete")}>
              Delete secret
            </Button>
          ) : null}
        </div>
      ) : null}
      {openDialog === "set" ? <SetSecretDialog botId={botId} onClose={close} /> : null}
      {openDialog === "delete" ? <DeleteSecretDialog botId={botId} onClose={close} /> : null}
    </div>
  );
}

function SetSecretDialog({ botId, onClose }: { botId: string; onClose: () => void }) {
  const [secret, setSecret] = useState("");
  const { mutate, isPending, error } = useSecretChange(
    botId,
    () => setWebhookSecret(botId, secret),
    "Webhook secret saved.",
    onClose,
  );
  const { errorByField, otherError } = errorsAbout(error, { secret: "Secret" });
  return (
    <FormDialog
      title="Webhook secret"
      description="Paste the secret that the bot list shows next to its webhook. It is encrypted and never shown again."
      submit="Save"
      busy={isPending}
      error={otherError}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <PasswordField label="Secret" autoComplete="off" required value={secret} onChange={setSecret} error={errorByField.secret} />
    </FormDialog>
  );
}

function DeleteSecretDialog({ botId, onClose }: { botId: string; onClose: () => void }) {
  const { mutate, isPending, error } = useSecretChange(botId, () => deleteWebhookSecret(botId), "Webhook secret deleted.", onClose);
  return (
    <ConfirmDialog
      title="Delete webhook secret"
      detail="Signed webhooks for this bot will be refused."
      confirm="Delete"
      busy={isPending}
      error={error ? errorInLine(error) : null}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}

function useSecretChange(botId: string, sendChange: () => Promise<unknown>, message: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: sendChange,
    gcTime: 0,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: webhookSecretQuery(botId).queryKey });
      toast({ text: message });
      onDone();
    },
  });
}
