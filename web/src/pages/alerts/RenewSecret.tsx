import { useMutation } from "@tanstack/react-query";
import { type AlertChannel, replaceSecret } from "../../api/alertChannels.ts";
import { errorInLine } from "../../api/words.ts";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { ChannelSecret } from "./ChannelSecret.tsx";

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
      title={`New secret for “${name}”`}
      detail="Messages are signed with the new one from then on. Whatever checks them with the old one refuses them until you replace it there."
      confirm="Replace"
      busy={isPending}
      error={error ? errorInLine(error) : null}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
