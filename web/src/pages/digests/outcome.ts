import type { Mail } from "../../api/digests.ts";

const STATUS_ORDER = ["sent", "waiting", "failed", "dropped"] as const;
const WORDS_BY_STATUS: Record<string, string> = {
  sent: "sent",
  waiting: "on the way",
  failed: "failed",
  dropped: "unsubscribed",
};

/** Say what became of the mails of a sending: `4 sent, 1 failed`. */
export function outcomeInWords(mails: readonly Mail[]): string {
  const counts = STATUS_ORDER.map((status) => ({ status, count: mails.filter((mail) => mail.status === status).length }));
  return counts
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => `${count} ${WORDS_BY_STATUS[status] ?? status}`)
    .join(", ");
}

/** Say what became of one mail, with the reason; the first attempt may be under way, and has none yet. */
export function mailInWords({ status, error }: Mail): string {
  const statusText = status === "waiting" && error !== null ? "not delivered yet, retrying" : (WORDS_BY_STATUS[status] ?? status);
  return error === null || status === "sent" ? statusText : `${statusText}: ${error}`;
}
