import { useMutation, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Pencil, Trash2 } from "lucide-react";
import { type AlertChannel, alertChannelsQuery, changeChannel } from "../../api/alertChannels.ts";
import type { Alert } from "../../api/alerts.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import { Menu, type MenuItem } from "../../ui/Menu/Menu.tsx";
import styles from "./ChannelList.module.css";
import { TestResult } from "./TestResult.tsx";
import { CHANNEL_KINDS, alertCountInWords } from "./channelKinds.ts";
import { useChannelTest } from "./useChannelTest.ts";

/** Something about a channel that is asked in a dialog. */
export interface ChannelAction {
  kind: "edit" | "secret" | "delete";
  channel: AlertChannel;
}

export interface ChannelListProps {
  channels: readonly AlertChannel[];
  alerts: readonly Alert[];
  /** The channel whose messages are shown beside the list. */
  selectedId: string | undefined;
  onSelect: (id: string) => void;
  /** Absent for people who may only look. */
  onAction: ((action: ChannelAction) => void) | undefined;
}

/** The channels, each with its type, as much of its destination as anybody sees, and the way to try it. */
export function ChannelList({ channels, alerts, selectedId, onSelect, onAction }: ChannelListProps) {
  const { outcome, sendTest, testedChannelId } = useChannelTest();
  const { switchChannel, isOn } = useChannelSwitch();
  return (
    <ul className={styles.list} aria-label="Channels" data-writes={onAction ? true : undefined}>
      {channels.map((channel) => (
        <li key={channel.id} className={styles.channel} data-selected={channel.id === selectedId || undefined}>
          <div className={styles.words}>
            {onAction ? (
              <button type="button" className={styles.name} aria-pressed={channel.id === selectedId} onClick={() => onSelect(channel.id)}>
                {channel.name}
              </button>
            ) : (
              <span className={styles.name}>{channel.name}</span>
            )}
            <p className={styles.destination}>{channel.destinationPreview}</p>
          </div>
          <span className={styles.kind}>{CHANNEL_KINDS[channel.type].label}</span>
          <span className={styles.used}>{channel.enabled ? alertCountInWords(channel, alerts) : "switched off"}</span>
          {onAction ? (
            <div className={styles.tools}>
              <Button small busy={testedChannelId === channel.id} aria-label={`Test ${channel.name}`} onClick={() => sendTest(channel)}>
                Test
              </Button>
              <span className={styles.switch}>
                <SwitchField label={<Hidden>{`${channel.name} is on`}</Hidden>} checked={isOn(channel)} onChange={(isChecked) => switchChannel(channel, isChecked)} />
              </span>
              <Menu label={`${channel.name} menu`} items={menuItemsOf(channel, onAction)} />
            </div>
          ) : null}
          {outcome?.channelId === channel.id ? (
            <div className={styles.outcome}>
              <TestResult outcome={outcome} />
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function menuItemsOf(channel: AlertChannel, onAction: (action: ChannelAction) => void): MenuItem[] {
  const startAction = (kind: ChannelAction["kind"]) => () => onAction({ kind, channel });
  return [
    { label: "Edit", icon: Pencil, onSelect: startAction("edit") },
    ...(channel.type === "webhook" ? [{ label: "Replace secret", icon: KeyRound, onSelect: startAction("secret") }] : []),
    { label: "Delete", icon: Trash2, danger: true, onSelect: startAction("delete") },
  ];
}

/** Switch channels on and off; messages that wait for one that is off are given up. */
function useChannelSwitch() {
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id, enabled }: Pick<AlertChannel, "id" | "enabled">) => changeChannel(id, { enabled }),
    onSuccess: (channel) => {
      queryClient.setQueryData(alertChannelsQuery.queryKey, (channels) => channels?.map((entry) => (entry.id === channel.id ? channel : entry)));
    },
    onError: sayFailure,
  });
  const switchChannel = ({ id }: AlertChannel, enabled: boolean) => mutate({ id, enabled });
  const isOn = ({ id, enabled }: AlertChannel) => (isPending && variables.id === id ? variables.enabled : enabled);
  return { switchChannel, isOn };
}
