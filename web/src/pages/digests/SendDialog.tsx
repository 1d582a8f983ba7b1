import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Digest, type Mail, digestsQuery, sendDigest, sendingsQuery } from "../../api/digests.ts";
import { errorInLine } from "../../api/words.ts";
import { countInWords } from "../../core/numbers.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import styles from "./SendDialog.module.css";
import { mailInWords, outcomeInWords } from "./outcome.ts";

/** Ask before a digest is sent, then show what becomes of each mail. */
export function SendDialog({ digest, name, onClose }: { digest: Digest; name: string; onClose: () => void }) {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: sendingsQuery(digest.id).queryKey });
  const send = useMutation({ mutationFn: () => sendDigest(digest.id), onSuccess: refresh });
  const { data: sendings = [] } = useQuery({ ...sendingsQuery(digest.id), enabled: send.data !== undefined });
  const sending = sendings.find(({ id }) => id === send.data?.id) ?? send.data;
  const close = () => {
    if (sending) void queryClient.invalidateQueries({ queryKey: digestsQuery.queryKey });
    onClose();
  };
  return (
    <Dialog
      title={`Send “${name}” now`}
      description={
        sending
          ? outcomeInWords(sending.mails)
          : `${countInWords(digest.recipients.length, "recipient")} ${digest.recipients.length === 1 ? "gets" : "get"} this email now. The schedule doesn't change.`
      }
      onClose={close}
      footer={
        sending ? (
          <Button variant="primary" onClick={close}>Close</Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" busy={send.isPending} disabled={digest.recipients.length === 0} onClick={() => send.mutate()}>
              Send
            </Button>
          </>
        )
      }
    >
      {sending ? <MailList mails={sending.mails} /> : null}
      <FormError text={send.error ? errorInLine(send.error) : null} />
    </Dialog>
  );
}

function MailList({ mails }: { mails: readonly Mail[] }) {
  return (
    <ul className={styles.mails} aria-label="Emails">
      {mails.map((mail) => (
        <li key={mail.recipient}>
          <span>{mail.recipient}</span>
          <span className={styles.outcome} data-status={mail.status}>
            {mailInWords(mail)}
          </span>
        </li>
      ))}
    </ul>
  );
}
