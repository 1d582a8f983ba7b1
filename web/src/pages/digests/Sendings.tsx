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

const FEW = 6;

/** What became of the newest sendings of a digest; what did not arrive says why. */
export function Sendings({ digest, name, timezone }: { digest: Digest; name: string; timezone: string }) {
  const { data, error, refetch } = useQuery(sendingsQuery(digest.id));
  const last = digest.lastSentAt ? `last sent on ${formatDate(digest.lastSentAt, timezone)}` : "never sent";
  const [all, setAll] = useState(false);
  const sendings = all ? data : data?.slice(0, FEW);
  return (
    <Card title="Sendings" note={`${name}, ${last}`} flush>
      {error && !sendings ? (
        <div className={styles.words}>
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        </div>
      ) : !sendings ? (
        <div className={styles.words}>
          <Skeleton height={38} />
        </div>
      ) : sendings.length === 0 ? (
        <p className={styles.words}>Each sending is listed here for 90 days, with what became of its mails.</p>
      ) : (
        <ul aria-label="Sendings">
          {sendings.map((sending) => (
            <Row key={sending.id} sending={sending} timezone={timezone} />
          ))}
        </ul>
      )}
      {data && !all && data.length > FEW ? (
        <div className={styles.more}>
          <Button small variant="quiet" onClick={() => setAll(true)}>
            Show all {data.length}
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

function Row({ sending: { dueAt, mails }, timezone }: { sending: Sending; timezone: string }) {
  const late = mails.filter(({ status }) => status === "failed" || status === "waiting");
  return (
    <li className={styles.row}>
      <span>{dateMinute(dueAt, timezone)}</span>
      <span className={styles.outcome} data-failed={mails.some(({ status }) => status === "failed") || undefined}>
        {outcomeInWords(mails)}
      </span>
      {late.map((mail) => (
        <p key={mail.recipient} className={styles.reason}>
          {mail.recipient} · {mailInWords(mail)}
        </p>
      ))}
    </li>
  );
}
