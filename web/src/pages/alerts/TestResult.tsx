import { Check, CircleAlert } from "lucide-react";
import styles from "./TestResult.module.css";
import type { TestOutcome } from "./useChannelTest.ts";

/** What became of the last test message, in one line. */
export function TestResult({ outcome }: { outcome: TestOutcome }) {
  const Icon = outcome.ok ? Check : CircleAlert;
  return (
    <p className={styles.result} data-ok={outcome.ok || undefined}>
      <Icon size={14} strokeWidth={1.6} aria-hidden="true" />
      <span>{outcome.message}</span>
    </p>
  );
}
