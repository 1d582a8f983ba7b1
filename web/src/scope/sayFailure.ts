import { errorInWords } from "../api/words.ts";
import { toast } from "../ui/Toast/toast.ts";

/** Say in a message that passes why something did not work. */
export function sayFailure(error: unknown): void {
  toast({ text: errorInWords(error).detail, tone: "error" });
}
