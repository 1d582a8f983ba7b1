import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AlertChannel, type Delivery, deliveriesQuery, retryDelivery } from "../../api/alertChannels.ts";
import { errorInWords } from "../../api/words.ts";
import { formatBriefly } from "../../core/time.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import styles from "./DeliveryLog.module.css";
import { deliveryInWords } from "./channelKinds.ts";

/** How often the messages to a channel are asked for, in milliseconds. */
const LIVE_MS = 4_000;

/** What became of the newest messages to a channel, each of which can be sent again. */
export function DeliveryLog({ channel, timezone }: { channel: AlertChannel; timezone: string }) {
  const { data, error, refetch } = useQuery({
    ...deliveriesQuery(channel.id),
    refetchInterval: ({ state }) => (state.data === undefined ? false : LIVE_MS),
  });
  const { send, sending } = useSendAgain(channel.id);
  const [repeat, setRepeat] = useState<Delivery>();
  const ask = (delivery: Delivery) => (delivery.status === "sent" ? setRepeat(delivery) : send({ id: delivery.id, again: false }));
  return (
    <aside aria-label={`Messages to ${channel.name}`}>
      <Card title={`Messages to ${channel.name}`} note={data && data.length > 0 ? `newest ${data.length}` : undefined} flush>
        {error && !data ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : !data ? (
          <div className={styles.quiet}>
            <Skeleton height={120} />
          </div>
        ) : data.length === 0 ? (
          <p className={styles.quiet}>No messages yet. Each one that an alert sends here is listed; tests are not.</p>
        ) : (
          <ul className={styles.list}>
            {data.map((delivery) => (
              <Message
                key={delivery.id}
                delivery={delivery}
                timezone={timezone}
                busy={sending === delivery.id}
                onSend={channel.enabled ? () => ask(delivery) : undefined}
              />
            ))}
          </ul>
        )}
      </Card>
      {repeat ? (
        <ConfirmDialog
          title="Send again"
          detail={`${channel.name} has this message about “${repeat.alertName}” already, and gets it a second time.`}
          confirm="Send again"
          onConfirm={() => {
            send({ id: repeat.id, again: true });
            setRepeat(undefined);
          }}
          onClose={() => setRepeat(undefined)}
        />
      ) : null}
    </aside>
  );
}

interface MessageProps {
  delivery: Delivery;
  timezone: string;
  busy: boolean;
  /** Absent while the channel is switched off. */
  onSend: (() => void) | undefined;
}

function Message({ delivery, timezone, busy, onSend }: MessageProps) {
  const { at, alertName, status } = delivery;
  return (
    <li className={styles.message} data-status={status}>
      <div className={styles.words}>
        <p className={styles.name}>{alertName}</p>
        <p className={styles.became}>{deliveryInWords(delivery)}</p>
      </div>
      <div className={styles.end}>
        <time dateTime={at} className={styles.time}>
          {formatBriefly(at, timezone)}
        </time>
        {onSend ? (
          <Button small variant="quiet" busy={busy} onClick={onSend}>
            Send again
          </Button>
        ) : null}
      </div>
    </li>
  );
}

function useSendAgain(channelId: string) {
  const queryClient = useQueryClient();
  const { queryKey } = deliveriesQuery(channelId);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id, again }: { id: string; again: boolean }) => retryDelivery(channelId, id, again),
    onSuccess: (delivery) => {
      queryClient.setQueryData(queryKey, (all) => all?.map((entry) => (entry.id === delivery.id ? delivery : entry)));
    },
    onError: (error) => {
      sayFailure(error);
      void queryClient.invalidateQueries({ queryKey });
    },
  });
  return { send: mutate, sending: isPending ? variables.id : undefined };
}
