import { useQuery } from "@tanstack/react-query";
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
import { KINDS } from "./channelKinds.ts";
import { useChannelTest } from "./useChannelTest.ts";

const ChannelDialog = lazily(() => import("./ChannelDialog.tsx"), "ChannelDialog");

export interface TellCardProps {
  /** The channels that the alert tells. */
  channelIds: readonly string[];
  /** Absent for people who may only look. */
  onChange: ((channelIds: string[]) => void) | undefined;
  error: string | undefined;
}

/** Where an alert is told; each channel can be tried from here, and a new one made. */
export function ChannelsCard({ channelIds, onChange, error }: TellCardProps) {
  const channels = useQuery(alertChannelsQuery);
  const { outcome, test, testing } = useChannelTest();
  const [creating, setCreating] = useState(false);
  const rows = channels.data?.filter(({ id }) => onChange !== undefined || channelIds.includes(id));
  const toggleChannel = (id: string, on: boolean) => onChange?.(on ? [...channelIds, id] : channelIds.filter((channelId) => channelId !== id));
  return (
    <Card
      title="Tell"
      tools={
        onChange ? (
          <Button small variant="quiet" icon={Plus} onClick={() => setCreating(true)}>
            New channel
          </Button>
        ) : null
      }
    >
      {channels.error && !rows ? (
        <ErrorState {...errorInWords(channels.error)} onRetry={() => void channels.refetch()} />
      ) : !rows ? (
        <Skeleton height={88} />
      ) : rows.length === 0 ? (
        <p className={styles.note}>{onChange ? "No channels yet. Without one, the alert appears here, but nobody is notified." : "Nobody is notified."}</p>
      ) : (
        rows.map((channel) => (
          <div key={channel.id} className={styles.channel}>
            <div className={styles.pick}>
              {onChange ? (
                <CheckField label={<Named channel={channel} />} checked={channelIds.includes(channel.id)} onChange={(on) => toggleChannel(channel.id, on)} />
              ) : (
                <Named channel={channel} />
              )}
            </div>
            {onChange ? (
              <Button small busy={testing === channel.id} aria-label={`Test ${channel.name}`} onClick={() => test(channel)}>
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
      {creating ? (
        <Suspense>
          <ChannelDialog onCreated={({ id }) => toggleChannel(id, true)} onClose={() => setCreating(false)} />
        </Suspense>
      ) : null}
    </Card>
  );
}

function Named({ channel: { name, type, destinationPreview, enabled } }: { channel: AlertChannel }) {
  return (
    <>
      <span className={styles.name}>{name}</span>
      <span className={styles.destination} title={`${KINDS[type].label}: ${destinationPreview}`}>
        {enabled ? null : <span className={styles.off}>switched off · </span>}
        {destinationPreview.replace("https://", "")}
      </span>
    </>
  );
}
