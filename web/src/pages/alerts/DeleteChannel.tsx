import { useQueryClient } from "@tanstack/react-query";
import { type AlertChannel, alertChannelsQuery, deleteChannel } from "../../api/alertChannels.ts";
import { type Alert, alertsQuery } from "../../api/alerts.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";
import { usersInWords } from "./channelKinds.ts";

export interface DeleteChannelProps {
  channel: AlertChannel;
  alerts: readonly Alert[];
  onClose: () => void;
}

/** Ask before a channel is deleted: its destination is gone with it. */
export function DeleteChannel({ channel, alerts, onClose }: DeleteChannelProps) {
  const queryClient = useQueryClient();
  const remove = async (id: string) => {
    await deleteChannel(id);
    void queryClient.invalidateQueries({ queryKey: alertsQuery.queryKey });
  };
  const users = usersInWords(channel, alerts);
  const plural = users.endsWith("alerts");
  return (
    <RemovalDialog
      list={alertChannelsQuery.queryKey}
      id={channel.id}
      remove={remove}
      title={`Delete channel “${channel.name}”`}
      detail={`${users === "no alert" ? "No alert tells it." : `${users} ${plural ? "tell" : "tells"} it and ${plural ? "go" : "goes"} on without it.`} Nobody can show its destination again, so it cannot be taken back.`}
      confirm="Delete"
      message={`Deleted channel “${channel.name}”`}
      onClose={onClose}
    />
  );
}
