import type { ReactNode } from "react";
import styles from "./Badge.module.css";

export interface BadgeProps {
  tone?: "plain" | "ok" | "warn" | "error" | "accent";
  children: ReactNode;
}

/** One word or number that marks a thing: its state, its kind. */
export function Badge({ tone = "plain", children }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}
