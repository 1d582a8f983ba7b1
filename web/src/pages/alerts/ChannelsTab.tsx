import type { UseQueryResult } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import type { AlertChannel } from "../../api/alertChannels.ts";
import type { Alert } from "../../api/alerts.ts";
import { errorInWords } from "../../api/words.ts";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { lazily } from "../../ui/lazily.ts";
import { ChannelList, type ChannelQuestion } from "./ChannelList.tsx";
import styles from "./ChannelsTab.module.css";
import { DeleteChannel } from "./DeleteChannel.tsx";
import { DeliveryLog } from "./DeliveryLog.tsx";
import { RenewSecret } from "./RenewSecret.tsx";

const ChannelDialog = lazily(() => import("./ChannelDialog.tsx"), "ChannelDialog");

export interface ChannelsTabProps {
  channels: UseQueryResult<AlertChannel[]>;
  alerts: readonly Alert[];
  /** The channel whose messages are shown. */
  selected: string | undefined;
  onSelect: (id: string | undefined) => void;
  timezone: string;
  mayWrite: boolean;
  /** The dialog for a new channel is open. */
  creating: boolean;
  onCreated: () => void;
}

/** Where alerts are told, and what became of the messages to each. */
export function ChannelsTab({ channels, alerts, selected, onSelect, timezone, mayWrite, creating, onCreated }: ChannelsTabProps) {
  const [question, setQuestion] = useState<ChannelQuestion | null>(null);
  const close = () => setQuestion(null);
  const { data, error, refetch } = channels;
  const channel = data?.find(({ id }) => id === selected) ?? data?.[0];
  return (
    <>
      {error && !data ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={240} />
      ) : !channel ? (
        <State
          title="No channels yet"
          detail={
            mayWrite
              ? "A channel is where alerts are told: a mailbox, a chat, or a program of yours."
              : "A channel is where alerts are told. A developer can make one."
          }
        />
      ) : (
        <div className={styles.columns} data-alone={!mayWrite || undefined}>
          <ChannelList
            channels={data}
            alerts={alerts}
            selected={mayWrite ? channel.id : undefined}
            onSelect={onSelect}
            onAsk={mayWrite ? setQuestion : undefined}
          />
          {mayWrite ? <DeliveryLog key={channel.id} channel={channel} timezone={timezone} /> : null}
        </div>
      )}
      {mayWrite && creating ? (
        <Suspense>
          <ChannelDialog onCreated={({ id }) => onSelect(id)} onClose={onCreated} />
        </Suspense>
      ) : null}
      {question?.kind === "edit" ? (
        <Suspense>
          <ChannelDialog channel={question.channel} onClose={close} />
        </Suspense>
      ) : null}
      {question?.kind === "secret" ? <RenewSecret channel={question.channel} onClose={close} /> : null}
      {question?.kind === "delete" ? <DeleteChannel channel={question.channel} alerts={alerts} onClose={close} /> : null}
    </>
  );
}
