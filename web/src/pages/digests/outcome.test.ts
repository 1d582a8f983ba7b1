import { expect, test } from "vitest";
import type { Mail } from "../../api/digests.ts";
import { mailInWords, outcomeInWords } from "./outcome.ts";

const mail = (status: string, error: string | null = null, attempts = 0): Mail => {
  return { recipient: "ann@example.com", status, attempts, error, sentAt: null, nextAttemptAt: null };
};

test("mails are counted by what became of them", () => {
  expect(outcomeInWords([mail("failed"), mail("sent"), mail("sent")])).toBe("2 sent, 1 failed");
  expect(outcomeInWords([mail("waiting"), mail("dropped")])).toBe("1 on the way, 1 unsubscribed");
});

test("a mail says why it did not arrive", () => {
  expect(mailInWords(mail("sent"))).toBe("sent");
  expect(mailInWords(mail("failed", "550 no such mailbox"))).toBe("failed: 550 no such mailbox");
  expect(mailInWords(mail("waiting", "421 busy", 1))).toBe("not delivered yet, retrying: 421 busy");
  expect(mailInWords(mail("waiting", null, 1))).toBe("on the way");
});
