import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { type AlertChannel, alertChannelsQuery, deleteChannel } from "../../api/alertChannels.ts";
import { type Alert, alertsQuery } from "../../api/alerts.ts";
import { errorInWords } from "../../api/words.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { lazily } from "../../ui/lazily.ts";
import { type ChannelAction, ChannelList } from "./ChannelList.tsx";
import { RenewSecret } from "./ChannelSecret.tsx";
import styles from "./ChannelsTab.module.css";
import { DeliveryLog } from "./DeliveryLog.tsx";
import { alertCountInWords } from "./channelKinds.ts";

const ChannelDialog = lazily(() => import("./ChannelDialog.tsx"), "ChannelDialog");

export interface ChannelsTabProps {
  channelsResult: UseQueryResult<AlertChannel[]>;
  alerts: readonly Alert[];
  /** The channel whose messages are shown. */
  selectedId: string | undefined;
  onSelect: (id: string | undefined) => void;
  timezone: string;
  mayWrite: boolean;
  /** The dialog for a new channel is open. */
  isCreating: boolean;
  onCreateClose: () => void;
}

/** Where alerts are told, and what became of the messages to each. */
export function ChannelsTab({
  channelsResult,
  alerts,
  selectedId,
  onSelect,
  timezone,
  mayWrite,
  isCreating,
  onCreateClose,
}: ChannelsTabProps) {
  const [action, setAction] = useState<ChannelAction | null>(null);
  const close = () => setAction(null);
  const { data, error, refetch } = channelsResult;
  const selectedChannel = data?.find(({ id }) => id === selectedId) ?? data?.[0];
  return (
    <>
      {error && !data ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={240} />
      ) : !selectedChannel ? (
        <State
          title="No channels yet"
          detail={
            mayWrite
              ? "A channel is where alerts are sent: an email address, a chat or a webhook."
              : "A channel is where alerts are sent. A developer can create one."
          }
        />
      ) : (
        <div className={styles.columns} data-alone={!mayWrite || undefined}>
          <ChannelList
            channels={data}
            alerts={alerts}
            selectedId={mayWrite ? selectedChannel.id : undefined}
            onSelect={onSelect}
            onAction={mayWrite ? setAction : undefined}
          />
          {mayWrite ? <DeliveryLog key={selectedChannel.id} channel={selectedChannel} timezone={timezone} /> : null}
        </div>
      )}
      {mayWrite && isCreating ? (
        <Suspense>
          <ChannelDialog onCreated={({ id }) => onSelect(id)} onClose={onCreateClose} />
        </Suspense>
      ) : null}
      {action?.kind === "edit" ? (
        <Suspense>
          <ChannelDialog channel={action.channel} onClose={close} />
        </Suspense>
      ) : null}
      {action?.kind === "secret" ? <RenewSecret channel={action.channel} onClose={close} /> : null}
      {action?.kind === "delete" ? <DeleteChannel channel={action.channel} alerts={alerts} onClose={close} /> : null}
    </>
  );
}

/** Ask before a channel is deleted: its destination is gone with it. */
function DeleteChannel({ channel, alerts, onClose }: { channel: AlertChannel; alerts: readonly Alert[]; onClose: () => void }) {
  const queryClient = useQueryClient();
  const remove = async (id: string) => {
    await deleteChannel(id);
    void queryClient.invalidateQueries({ queryKey: alertsQuery.queryKey });
  };
  const alertCountText = alertCountInWords(channel, alerts);
  return (
    <RemovalDialog
      listKey={alertChannelsQuery.queryKey}
      id={channel.id}
      remove={remove}
      title={`Delete channel “${channel.name}”`}
      detail={`${alertCountText === "no alerts" ? "No alerts use it." : `${alertCountText} will no longer notify it.`} This cannot be undone.`}
      confirm="Delete"
      message={`Deleted channel “${channel.name}”`}
      onClose={onClose}
    />
  );
}
