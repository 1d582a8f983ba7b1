import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Digest, type Sending, sendingsQuery } from "../../api/digests.ts";
import { errorInWords } from "../../api/words.ts";
import { formatDate, dateMinute } from "../../core/time.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import styles from "./Sendings.module.css";
import { mailInWords, outcomeInWords } from "./outcome.ts";

const MAX_NEWEST = 6;

/** What became of the newest sendings of a digest; what did not arrive says why. */
export function Sendings({ digest, name, timezone }: { digest: Digest; name: string; timezone: string }) {
  const { data, error, refetch } = useQuery(sendingsQuery(digest.id));
  const lastSentText = digest.lastSentAt ? `last sent on ${formatDate(digest.lastSentAt, timezone)}` : "never sent";
  const [isAllShown, setIsAllShown] = useState(false);
  const sendings = isAllShown ? data : data?.slice(0, MAX_NEWEST);
  return (
    <Card title="History" note={`${name}, ${lastSentText}`} flush>
      {error && !sendings ? (
        <div className={styles.words}>
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        </div>
      ) : !sendings ? (
        <div className={styles.words}>
          <Skeleton height={38} />
        </div>
      ) : sendings.length === 0 ? (
        <p className={styles.words}>Sent emails are listed here for 90 days, with their status.</p>
      ) : (
        <ul aria-label="Sent emails">
          {sendings.map((sending) => (
            <SendingRow key={sending.id} sending={sending} timezone={timezone} />
          ))}
        </ul>
      )}
      {data && !isAllShown && data.length > MAX_NEWEST ? (
        <div className={styles.more}>
          <Button small variant="quiet" onClick={() => setIsAllShown(true)}>
            Show all {data.length}
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

function SendingRow({ sending: { dueAt, mails }, timezone }: { sending: Sending; timezone: string }) {
  const unsentMails = mails.filter(({ status }) => status === "failed" || status === "waiting");
  return (
    <li className={styles.row}>
      <span>{dateMinute(dueAt, timezone)}</span>
      <span className={styles.outcome} data-failed={mails.some(({ status }) => status === "failed") || undefined}>
        {outcomeInWords(mails)}
      </span>
      {unsentMails.map((mail) => (
        <p key={mail.recipient} className={styles.reason}>
          {mail.recipient} · {mailInWords(mail)}
        </p>
      ))}
    </li>
  );
}
