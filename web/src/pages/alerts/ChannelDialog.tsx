import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  type AlertChannel,
  type ChannelType,
  type NewAlertChannel,
  alertChannelsQuery,
  changeChannel,
  createChannel,
} from "../../api/alertChannels.ts";
import { errorsAbout } from "../../api/fieldErrors.ts";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { ChannelSecret } from "./ChannelSecret.tsx";
import { CHANNEL_KINDS, KIND_CHOICES } from "./channelKinds.ts";

export interface ChannelDialogProps {
  /** The channel that is changed; absent for a new one. */
  channel?: AlertChannel;
  onCreated?: (channel: AlertChannel) => void;
  onClose: () => void;
}

/** Make a channel or change one. Its destination is a secret: it is sent once and never comes back. */
export function ChannelDialog({ channel, onCreated, onClose }: ChannelDialogProps) {
  const [name, setName] = useState(channel?.name ?? "");
  const [type, setType] = useState<ChannelType>(channel?.type ?? "email");
  const [destination, setDestination] = useState("");
  const { save, isPending, error, secret } = useSaveChannel(channel, onCreated, onClose);
  if (secret !== undefined) return <ChannelSecret name={name.trim()} secret={secret} onClose={onClose} />;
  const channelKind = CHANNEL_KINDS[type];
  const { errorByField, otherError } = errorsAbout(error, { name: "Name", destination: channelKind.destinationLabel });
  return (
    <FormDialog
      title={channel ? `Edit channel “${channel.name}”` : "New channel"}
      description={channel ? undefined : "Where alerts are sent. The destination is encrypted and later shown only in part."}
      submit={channel ? "Save" : "Create channel"}
      busy={isPending}
      error={otherError}
      onSubmit={() => save({ name: name.trim(), type, destination: destination.trim() })}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" required maxLength={120} value={name} onChange={setName} hint="For example, #ops or on-call." error={errorByField.name} />
      {channel ? null : <SelectField label="Type" value={type} options={KIND_CHOICES} onChange={(choice) => setType(choice as ChannelType)} />}
      <TextField
        label={channelKind.destinationLabel}
        required={!channel}
        maxLength={2000}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={channel ? channel.destinationPreview : channelKind.placeholder}
        value={destination}
        onChange={setDestination}
        hint={channel ? "Leave empty to keep the current one." : channelKind.hint}
        error={errorByField.destination}
      />
    </FormDialog>
  );
}

interface ChannelFields {
  name: string;
  type: ChannelType;
  destination: string;
}

function useSaveChannel(channel: AlertChannel | undefined, onCreated: ChannelDialogProps["onCreated"], onClose: () => void) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: ({ name, type, destination }: ChannelFields): Promise<NewAlertChannel> =>
      channel ? changeChannel(channel.id, { name, ...(destination === "" ? {} : { destination }) }) : createChannel({ name, type, destination }),
    // Destination and secret are gone from memory with the dialog.
    gcTime: 0,
    onSuccess: async ({ secret, ...savedChannel }) => {
      await queryClient.invalidateQueries({ queryKey: alertChannelsQuery.queryKey });
      if (!channel) onCreated?.(savedChannel);
      if (secret === undefined) onClose();
    },
  });
  return { save: mutate, isPending, error, secret: data?.secret };
}
