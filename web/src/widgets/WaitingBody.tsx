import { useEffect, useState } from "react";
import { Button } from "../ui/Button/Button.tsx";
import { ChartSkeleton } from "../ui/Skeleton/ChartSkeleton.tsx";
import { Skeleton } from "../ui/Skeleton/Skeleton.tsx";
import styles from "./WidgetCard.module.css";

/** Seconds after which a card says that it still waits. */
const SLOW_SECONDS = 5;
/** Of a number and of the words above it, in px. */
const NUMBER_SIZE = { width: 120, height: 28 };
const WORDS_SIZE = { width: 72, height: 12 };

export interface WaitingBodyProps {
  isFetching: boolean;
  /** There is no room for a chart. */
  isLow: boolean;
  onCancel: () => void;
  onRetry: () => void;
}

/** A card without an answer yet: its shape, after five seconds a sentence, and after a cancellation a way back. */
export function WaitingBody({ isFetching, isLow, onCancel, onRetry }: WaitingBodyProps) {
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
      <div className={styles.skeleton}>
        {isLow ? (
          <>
            <Skeleton {...WORDS_SIZE} />
            <Skeleton {...NUMBER_SIZE} />
          </>
        ) : (
          <ChartSkeleton />
        )}
      </div>
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
