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
import { entryWithId } from "../../api/entries.ts";
import { NOW } from "../../api/queries.ts";
import { WorkDialog } from "../../scope/work/WorkDialog.tsx";
import { type Work, useWork } from "../../scope/work/useWork.ts";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { ChannelSecret } from "./ChannelSecret.tsx";
import { CHANNEL_KINDS, KIND_CHOICES } from "./channelKinds.ts";

/** A channel while somebody writes it, without its destination. */
interface ChannelDraft {
  name: string;
  type: ChannelType;
}

const draftOf = (channel: AlertChannel | undefined): ChannelDraft => ({ name: channel?.name ?? "", type: channel?.type ?? "email" });

export interface ChannelDialogProps {
  /** The channel that is changed; absent for a new one. */
  channel?: AlertChannel;
  onCreated?: (channel: AlertChannel) => void;
  onClose: () => void;
}

/** Make a channel or change one. Its destination is a secret: it is sent once and never comes back. */
export function ChannelDialog({ channel, onCreated, onClose }: ChannelDialogProps) {
  const work = useWork({ subject: `channel ${channel?.id ?? "new"}`, savedValue: draftOf(channel), isNew: channel === undefined });
  const { name, type } = work.value;
  const updateDraft = (change: Partial<ChannelDraft>) => work.change((draft) => ({ ...draft, ...change }));
  // A secret is no part of the draft: no browser keeps it.
  const [destination, setDestination] = useState("");
  const { save, isPending, error, secret } = useSaveChannel(channel, work, onCreated, onClose);
  if (secret !== undefined) return <ChannelSecret name={name.trim()} secret={secret} onClose={onClose} />;
  const channelKind = CHANNEL_KINDS[type];
  const { errorByField, otherError } = errorsAbout(error, { name: "Name", destination: channelKind.destinationLabel });
  return (
    <WorkDialog
      work={work}
      noun="channel"
      title={channel ? `Edit channel “${channel.name}”` : "New channel"}
      description={channel ? undefined : "Where alerts are sent. The destination is encrypted and later shown only in part."}
      submit={channel ? "Save" : "Create channel"}
      busy={isPending}
      error={otherError}
      onSubmit={() => save({ name: name.trim(), type, destination: destination.trim() })}
      onClose={onClose}
    >
      <TextField label="Name" autoComplete="off" required maxLength={120} value={name} onChange={(text) => updateDraft({ name: text })} hint="For example, #ops or on-call." error={errorByField.name} />
      {channel ? null : <SelectField label="Type" value={type} options={KIND_CHOICES} onChange={(choice) => updateDraft({ type: choice as ChannelType })} />}
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
    </WorkDialog>
  );
}

interface ChannelFields extends ChannelDraft {
  destination: string;
}

function useSaveChannel(channel: AlertChannel | undefined, work: Work<ChannelDraft>, onCreated: ChannelDialogProps["onCreated"], onClose: () => void) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: async ({ name, type, destination }: ChannelFields): Promise<NewAlertChannel> => {
      if (!channel) return createChannel({ name, type, destination });
      await work.checkSaved(async () => draftOf(entryWithId(await queryClient.query({ ...alertChannelsQuery, ...NOW }), channel.id)));
      return changeChannel(channel.id, { name, ...(destination === "" ? {} : { destination }) });
    },
    // Destination and secret are gone from memory with the dialog.
    gcTime: 0,
    onSuccess: async ({ secret, ...savedChannel }) => {
      work.finish();
      await queryClient.invalidateQueries({ queryKey: alertChannelsQuery.queryKey });
      if (!channel) onCreated?.(savedChannel);
      if (secret === undefined) onClose();
    },
  });
  return { save: mutate, isPending, error, secret: data?.secret };
}
