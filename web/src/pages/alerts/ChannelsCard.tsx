import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { type AlertChannel, alertChannelsQuery } from "../../api/alertChannels.ts";
import { errorInWords } from "../../api/words.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { CheckField } from "../../ui/Field/CheckField.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { lazily } from "../../ui/lazily.ts";
import styles from "./AlertSide.module.css";
import { TestResult } from "./TestResult.tsx";
import { CHANNEL_KINDS } from "./channelKinds.ts";
import { NEW_CHANNEL_HASH } from "./channels.ts";
import { useChannelTest } from "./useChannelTest.ts";

const ChannelDialog = lazily(() => import("./ChannelDialog.tsx"), "ChannelDialog");

export interface ChannelsCardProps {
  /** The channels that the alert tells. */
  channelIds: readonly string[];
  /** Absent for people who may only look. */
  onChange: ((channelIds: string[]) => void) | undefined;
  error: string | undefined;
}

/** Where an alert is told; each channel can be tried from here, and a new one made. */
export function ChannelsCard({ channelIds, onChange, error }: ChannelsCardProps) {
  const channelsResult = useQuery(alertChannelsQuery);
  const { outcome, sendTest, testedChannelId } = useChannelTest();
  const { hash } = useLocation();
  const [isCreating, setIsCreating] = useState(onChange !== undefined && hash === NEW_CHANNEL_HASH);
  const shownChannels = channelsResult.data?.filter(({ id }) => onChange !== undefined || channelIds.includes(id));
  const toggleChannel = (id: string, isChosen: boolean) => onChange?.(isChosen ? [...channelIds, id] : channelIds.filter((channelId) => channelId !== id));
  return (
    <Card
      title="Notify"
      tools={
        onChange ? (
          <Button small variant="quiet" icon={Plus} onClick={() => setIsCreating(true)}>
            New channel
          </Button>
        ) : null
      }
    >
      {channelsResult.error && !shownChannels ? (
        <ErrorState {...errorInWords(channelsResult.error)} onRetry={() => void channelsResult.refetch()} />
      ) : !shownChannels ? (
        <Skeleton height={88} />
      ) : shownChannels.length === 0 ? (
        <p className={styles.note}>{onChange ? "No channels yet. Without one, the alert only appears here." : "No one is notified."}</p>
      ) : (
        shownChannels.map((channel) => (
          <div key={channel.id} className={styles.channel}>
            <div className={styles.pick}>
              {onChange ? (
                <CheckField label={<ChannelName channel={channel} />} checked={channelIds.includes(channel.id)} onChange={(isChecked) => toggleChannel(channel.id, isChecked)} />
              ) : (
                <ChannelName channel={channel} />
              )}
            </div>
            {onChange ? (
              <Button small busy={testedChannelId === channel.id} aria-label={`Test ${channel.name}`} onClick={() => sendTest(channel)}>
                Test
              </Button>
            ) : null}
          </div>
        ))
      )}
      <div className={styles.below}>
        {outcome ? <TestResult outcome={outcome} /> : null}
        {error ? <FormError text={error} /> : null}
      </div>
      {isCreating ? (
        <Suspense>
          <ChannelDialog onCreated={({ id }) => toggleChannel(id, true)} onClose={() => setIsCreating(false)} />
        </Suspense>
      ) : null}
    </Card>
  );
}

function ChannelName({ channel: { name, type, destinationPreview, enabled } }: { channel: AlertChannel }) {
  return (
    <>
      <span className={styles.name}>{name}</span>
      <span className={styles.destination} title={`${CHANNEL_KINDS[type].label}: ${destinationPreview}`}>
        {enabled ? null : <span className={styles.off}>switched off · </span>}
        {destinationPreview.replace("https://", "")}
      </span>
    </>
  );
}
