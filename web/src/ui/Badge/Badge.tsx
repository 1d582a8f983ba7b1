import type { ReactNode } from "react";
import styles from "./Badge.module.css";

type Tone = "plain" | "ok" | "warn" | "error" | "accent";

/** One word or number that marks a thing: its state, its kind. */
export function Badge({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}
