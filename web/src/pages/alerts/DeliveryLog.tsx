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
const REFETCH_MS = 4_000;

/** What became of the newest messages to a channel, each of which can be sent again. */
export function DeliveryLog({ channel, timezone }: { channel: AlertChannel; timezone: string }) {
  const { data: deliveries, error, refetch } = useQuery({
    ...deliveriesQuery(channel.id),
    refetchInterval: ({ state }) => (state.data === undefined ? false : REFETCH_MS),
  });
  const { send, sendingId } = useSendAgain(channel.id);
  const [deliveryToRepeat, setDeliveryToRepeat] = useState<Delivery>();
  const startSend = (delivery: Delivery) =>
    (delivery.status === "sent" ? setDeliveryToRepeat(delivery) : send({ id: delivery.id, isRepeat: false }));
  return (
    <aside aria-label={`Messages to ${channel.name}`}>
      <Card
        title={`Messages to ${channel.name}`}
        note={deliveries && deliveries.length > 0 ? `newest ${deliveries.length}` : undefined}
        flush
      >
        {error && !deliveries ? (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        ) : !deliveries ? (
          <div className={styles.quiet}>
            <Skeleton height={120} />
          </div>
        ) : deliveries.length === 0 ? (
          <p className={styles.quiet}>No messages yet. Messages from alerts appear here; tests don't.</p>
        ) : (
          <ul className={styles.list}>
            {deliveries.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                timezone={timezone}
                isSending={sendingId === delivery.id}
                onSend={channel.enabled ? () => startSend(delivery) : undefined}
              />
            ))}
          </ul>
        )}
      </Card>
      {deliveryToRepeat ? (
        <ConfirmDialog
          title="Send again"
          detail={`${channel.name} already has this message about “${deliveryToRepeat.alertName}” and will get it again.`}
          confirm="Send again"
          onConfirm={() => {
            send({ id: deliveryToRepeat.id, isRepeat: true });
            setDeliveryToRepeat(undefined);
          }}
          onClose={() => setDeliveryToRepeat(undefined)}
        />
      ) : null}
    </aside>
  );
}

interface DeliveryRowProps {
  delivery: Delivery;
  timezone: string;
  isSending: boolean;
  /** Absent while the channel is switched off. */
  onSend: (() => void) | undefined;
}

function DeliveryRow({ delivery, timezone, isSending, onSend }: DeliveryRowProps) {
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
          <Button small variant="quiet" busy={isSending} onClick={onSend}>Send again</Button>
        ) : null}
      </div>
    </li>
  );
}

function useSendAgain(channelId: string) {
  const queryClient = useQueryClient();
  const { queryKey } = deliveriesQuery(channelId);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id, isRepeat }: { id: string; isRepeat: boolean }) => retryDelivery(channelId, id, isRepeat),
    onSuccess: (delivery) => {
      queryClient.setQueryData(queryKey, (entries) => entries?.map((entry) => (entry.id === delivery.id ? delivery : entry)));
    },
    onError: (error) => {
      sayFailure(error);
      void queryClient.invalidateQueries({ queryKey });
    },
  });
  return { send: mutate, sendingId: isPending ? variables.id : undefined };
}
