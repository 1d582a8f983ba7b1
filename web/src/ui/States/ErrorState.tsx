import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../Button/Button.tsx";
import styles from "./States.module.css";

export interface ErrorStateProps {
  title: string;
  detail?: ReactNode;
  /** What the server calls the request, for whoever reads its log. */
  requestId?: string | null;
  onRetry?: (() => void) | undefined;
}

/** Something that did not load: what happened, and a button to try again. */
export function ErrorState({ title, detail, requestId, onRetry }: ErrorStateProps) {
  return (
    <div className={styles.state}>
      <p className={styles.title} data-error>
        <CircleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
        {title}
      </p>
      {detail ? <div className={styles.detail}>{detail}</div> : null}
      {onRetry || requestId ? (
        <div className={styles.action}>
          {onRetry ? (
            <Button icon={RotateCw} onClick={onRetry}>
              Try again
            </Button>
          ) : null}
          {requestId ? <span className={styles.request}>request {requestId}</span> : null}
        </div>
      ) : null}
    </div>
  );
}
