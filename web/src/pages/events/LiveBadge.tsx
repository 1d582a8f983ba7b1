import type { Live } from "../../live/useLiveEvents.ts";
import { formatExact } from "../../core/numbers.ts";
import styles from "./LiveBadge.module.css";

export interface LiveBadgeProps {
  connection: Live["connection"];
  perMinute: number | null;
  /** Somebody pressed Pause. */
  isPaused: boolean;
}

/** How new events come in, and how many a minute. */
export function LiveBadge({ connection, perMinute, isPaused }: LiveBadgeProps) {
  const rateText = perMinute === null ? "" : ` · ${formatExact(perMinute)} a minute`;
  const state = isPaused && (connection === "live" || connection === "polling") ? "paused" : connection;
  return (
    <span className={styles.badge} data-state={state}>
      <i className={styles.dot} />
      {STATE_WORDS[state]}
      {rateText}
    </span>
  );
}

const STATE_WORDS: Record<Live["state"], string> = {
  connecting: "connecting",
  live: "live",
  polling: "every 3 s",
  reconnecting: "reconnecting",
  refused: "not live",
  paused: "paused",
};
