import { SecretDialog } from "../../ui/Dialog/SecretDialog.tsx";

export interface ChannelSecretProps {
  /** Of the webhook. */
  name: string;
  secret: string;
  onClose: () => void;
}

/** The secret that signs the messages of a webhook, this one time. */
export function ChannelSecret({ name, secret, onClose }: ChannelSecretProps) {
  return (
    <SecretDialog
      secret={secret}
      description={
        <>
          It signs the messages to <strong>{name}</strong>. Once this closes, nobody can show it again.
        </>
      }
      note="Your program checks each message with it."
      onClose={onClose}
    />
  );
}
