import { ApiError } from "../../api/errors.ts";

export const MAX_RECIPIENTS = 20;
const MAX_NAMED = 2;

/** Return the addresses in a text: separated by line breaks, commas, semicolons or spaces. */
export function recipientsIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((address) => address !== "");
}

/** Name the first two recipients: `mira@encore.fm, okapi@encore.fm and 3 more`. */
export function recipientsInWords(recipients: readonly string[]): string {
  const moreCount = recipients.length - MAX_NAMED;
  if (recipients.length === 0) return "everyone unsubscribed";
  return recipients.slice(0, MAX_NAMED).join(", ") + (moreCount > 0 ? ` and ${moreCount} more` : "");
}

/** Say what is wrong with the recipients, before they are sent or by what the server said; null if nothing is. */
export function recipientsProblem(error: unknown, recipients: readonly string[]): string | null {
  if (recipients.length > MAX_RECIPIENTS) return `Enter at most ${MAX_RECIPIENTS} recipients. You entered ${recipients.length}.`;
  if (!(error instanceof ApiError)) return null;
  const details = error.details.filter(({ path }) => path[0] === "recipients");
  const sentences = details.map(({ path, message }) => `${recipients[Number(path[1])] ?? "The list"} ${message}.`);
  return sentences.length > 0 ? sentences.join(" ") : null;
}
