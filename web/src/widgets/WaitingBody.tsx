import { useEffect, useState } from "react";
import { Button } from "../ui/Button/Button.tsx";
import { BodySkeleton } from "./BodySkeleton.tsx";
import type { Outline } from "./outline.ts";
import styles from "./WidgetCard.module.css";

/** Seconds after which a card says that it still waits. */
const SLOW_SECONDS = 5;

export interface WaitingBodyProps {
  isFetching: boolean;
  outline: Outline;
  onCancel: () => void;
  onRetry: () => void;
}

/** A card without an answer yet: its shape, after five seconds a sentence, and after a cancellation a way back. */
export function WaitingBody({ isFetching, outline, onCancel, onRetry }: WaitingBodyProps) {
  const seconds = useSeconds(isFetching);
  if (!isFetching) {
    return (
      <p className={styles.waiting}>
        Canceled.
        <Button small onClick={onRetry}>
          Run again
        </Button>
      </p>
    );
  }
  return (
    <>
      <BodySkeleton outline={outline} />
      {seconds >= SLOW_SECONDS ? (
        <p className={styles.waiting}>
          Still running, {seconds} s
          <Button small onClick={onCancel}>
            Cancel
          </Button>
        </p>
      ) : null}
    </>
  );
}

function useSeconds(isRunning: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = window.setInterval(() => setSeconds((count) => count + 1), 1000);
    return () => {
      window.clearInterval(timer);
      setSeconds(0);
    };
  }, [isRunning]);
  return seconds;
}
