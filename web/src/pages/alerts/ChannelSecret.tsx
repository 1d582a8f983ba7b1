import { useMutation } from "@tanstack/react-query";
import { type AlertChannel, replaceSecret } from "../../api/alertChannels.ts";
import { errorInLine } from "../../api/words.ts";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { SecretDialog } from "../../ui/Dialog/SecretDialog.tsx";

/** The secret that signs the messages of a webhook, this one time. */
export function ChannelSecret({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  return (
    <SecretDialog
      secret={secret}
      description={
        <>
          It signs messages to <strong>{name}</strong>. Copy it now. You won't see it again.
        </>
      }
      note="Use it to verify each message."
      onClose={onClose}
    />
  );
}

/** Replace the secret of a webhook, and show the new one once. */
export function RenewSecret({ channel: { id, name }, onClose }: { channel: AlertChannel; onClose: () => void }) {
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => replaceSecret(id),
    // The secret is gone from memory with the dialog.
    gcTime: 0,
  });
  if (data) return <ChannelSecret name={name} secret={data.secret} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`Replace the secret of “${name}”`}
      detail="New messages are signed with the new secret immediately. Update any program that verifies them."
      confirm="Replace"
      busy={isPending}
      error={error ? errorInLine(error) : null}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
