import { useEffect, useState } from "react";
import { Button } from "../ui/Button/Button.tsx";
import { ChartSkeleton } from "../ui/Skeleton/ChartSkeleton.tsx";
import { Skeleton } from "../ui/Skeleton/Skeleton.tsx";
import styles from "./WidgetCard.module.css";

/** Seconds after which a card says that it still waits. */
const SLOW = 5;
/** Of a number and of the words above it, in px. */
const NUMBER = { width: 120, height: 28 };
const WORDS = { width: 72, height: 12 };

export interface WaitingBodyProps {
  fetching: boolean;
  /** There is no room for a chart. */
  isLow: boolean;
  onCancel: () => void;
  onRetry: () => void;
}

/** A card without an answer yet: its shape, after five seconds a sentence, and after a cancellation a way back. */
export function WaitingBody({ fetching, isLow, onCancel, onRetry }: WaitingBodyProps) {
  const seconds = useSeconds(fetching);
  if (!fetching) {
    return (
      <p className={styles.waiting}>
        Cancelled.
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
            <Skeleton {...WORDS} />
            <Skeleton {...NUMBER} />
          </>
        ) : (
          <ChartSkeleton />
        )}
      </div>
      {seconds >= SLOW ? (
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

function useSeconds(running: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!running) return undefined;
    const timer = window.setInterval(() => setSeconds((count) => count + 1), 1000);
    return () => {
      window.clearInterval(timer);
      setSeconds(0);
    };
  }, [running]);
  return seconds;
}
