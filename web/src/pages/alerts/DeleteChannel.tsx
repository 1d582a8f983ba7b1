import { useQueryClient } from "@tanstack/react-query";
import { type AlertChannel, alertChannelsQuery, deleteChannel } from "../../api/alertChannels.ts";
import { type Alert, alertsQuery } from "../../api/alerts.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";
import { alertCountInWords } from "./channelKinds.ts";

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
  const alertCountText = alertCountInWords(channel, alerts);
  const isPlural = alertCountText.endsWith("alerts");
  return (
    <RemovalDialog
      listKey={alertChannelsQuery.queryKey}
      id={channel.id}
      remove={remove}
      title={`Delete channel “${channel.name}”`}
      detail={`${alertCountText === "no alert" ? "No alert tells it." : `${alertCountText} ${isPlural ? "tell" : "tells"} it and ${isPlural ? "go" : "goes"} on without it.`} Nobody can show its destination again, so it cannot be taken back.`}
      confirm="Delete"
      message={`Deleted channel “${channel.name}”`}
      onClose={onClose}
    />
  );
}
