import type { ReactNode } from "react";
import { Logo, type LogoProps } from "../Logo/Logo.tsx";
import styles from "./States.module.css";

export interface StateProps {
  /** Strokes of the tally above the words; nothing without it. */
  strokes?: LogoProps["strokes"];
  title: string;
  /** Why it is so. */
  detail?: ReactNode;
  /** The one thing to do. */
  action?: ReactNode;
}

/** What stands where nothing can be shown: what is, why, and the one thing to do. */
export function State({ strokes, title, detail, action }: StateProps) {
  return (
    <div className={styles.state}>
      {strokes === undefined ? null : (
        <div className={styles.tally}>
          <Logo size={32} strokes={strokes} />
        </div>
      )}
      <p className={styles.title}>{title}</p>
      {detail ? <div className={styles.detail}>{detail}</div> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}
