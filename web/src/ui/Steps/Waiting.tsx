import type { ReactNode } from "react";
import styles from "./Steps.module.css";

export interface WaitingProps {
  title: string;
  detail?: ReactNode;
  /** How long it has been, as 0:42. */
  elapsed?: string;
}

const UPRIGHT = [11, 21, 31, 41];

/** Waiting for something to arrive: a tally whose next stroke pulses. */
export function Waiting({ title, detail, elapsed }: WaitingProps) {
  return (
    <div className={styles.waiting}>
      <svg className={styles.bundle} width="52" height="52" viewBox="0 0 52 52" aria-hidden="true">
        {UPRIGHT.map((x) => (
          <path key={x} d={`M${x} 12v28`} />
        ))}
        <path d="M5 37 47 15" />
      </svg>
      <div className={styles.words}>
        <p className={styles.name}>{title}</p>
        {detail ? <p className={styles.detail}>{detail}</p> : null}
      </div>
      {elapsed ? <span className={styles.elapsed}>{elapsed}</span> : null}
    </div>
  );
}
