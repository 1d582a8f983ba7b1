import { errorInLine, errorInWords } from "../api/words.ts";
import { toast } from "../ui/Toast/toast.ts";

/** Say in a message that passes why something did not work. */
export function sayFailure(error: unknown): void {
  toast({ text: errorInWords(error).detail, tone: "error" });
}

/** Say that something was not done and why, and offer to try it again. */
export function offerRetry(fact: string, error: unknown, retry: () => void): void {
  toast({ text: `${fact} ${errorInLine(error)}`, tone: "error", action: { label: "Try again", onAct: retry } });
}
