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
import { KINDS, usersInWords } from "./channelKinds.ts";
import { useChannelTest } from "./useChannelTest.ts";

/** Something about a channel that is asked in a dialog. */
export interface ChannelQuestion {
  kind: "edit" | "secret" | "delete";
  channel: AlertChannel;
}

export interface ChannelListProps {
  channels: readonly AlertChannel[];
  alerts: readonly Alert[];
  /** The channel whose messages are shown beside the list. */
  selected: string | undefined;
  onSelect: (id: string) => void;
  /** Absent for people who may only look. */
  onAsk: ((question: ChannelQuestion) => void) | undefined;
}

/** The channels, each with its type, as much of its destination as anybody sees, and the way to try it. */
export function ChannelList({ channels, alerts, selected, onSelect, onAsk }: ChannelListProps) {
  const { outcome, test, testing } = useChannelTest();
  const { turn, isOn } = useChannelSwitch();
  return (
    <ul className={styles.list} aria-label="Channels" data-writes={onAsk ? true : undefined}>
      {channels.map((channel) => (
        <li key={channel.id} className={styles.channel} data-selected={channel.id === selected || undefined}>
          <div className={styles.words}>
            {onAsk ? (
              <button type="button" className={styles.name} aria-pressed={channel.id === selected} onClick={() => onSelect(channel.id)}>
                {channel.name}
              </button>
            ) : (
              <span className={styles.name}>{channel.name}</span>
            )}
            <p className={styles.destination}>{channel.destinationPreview}</p>
          </div>
          <span className={styles.kind}>{KINDS[channel.type].label}</span>
          <span className={styles.used}>{channel.enabled ? usersInWords(channel, alerts) : "switched off"}</span>
          {onAsk ? (
            <div className={styles.tools}>
              <Button small busy={testing === channel.id} aria-label={`Test ${channel.name}`} onClick={() => test(channel)}>
                Test
              </Button>
              <span className={styles.switch}>
                <SwitchField label={<Hidden>{`${channel.name} is on`}</Hidden>} checked={isOn(channel)} onChange={(on) => turn(channel, on)} />
              </span>
              <Menu label={`${channel.name} menu`} items={itemsOf(channel, onAsk)} />
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

function itemsOf(channel: AlertChannel, onAsk: (question: ChannelQuestion) => void): MenuItem[] {
  const asks = (kind: ChannelQuestion["kind"]) => () => onAsk({ kind, channel });
  return [
    { label: "Edit", icon: Pencil, onSelect: asks("edit") },
    ...(channel.type === "webhook" ? [{ label: "New secret", icon: KeyRound, onSelect: asks("secret") }] : []),
    { label: "Delete", icon: Trash2, danger: true, onSelect: asks("delete") },
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
  const turn = ({ id }: AlertChannel, enabled: boolean) => mutate({ id, enabled });
  const isOn = ({ id, enabled }: AlertChannel) => (isPending && variables.id === id ? variables.enabled : enabled);
  return { turn, isOn };
}
