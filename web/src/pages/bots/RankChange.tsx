import { formatExact } from "../../core/numbers.ts";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import styles from "./RankChange.module.css";

/** How many ranks a bot climbed or fell in 24 hours; nothing where nobody knows. */
export function RankChange({ change }: { change: number | null }) {
  if (change === null) return <span className={styles.change} />;
  if (change === 0) {
    return (
      <span className={styles.change}>
        <Hidden>unchanged</Hidden>
      </span>
    );
  }
  return (
    <span className={styles.change} data-tone={change > 0 ? "better" : "worse"}>
      <span aria-hidden="true">{change > 0 ? "↑" : "↓"}</span>
      <Hidden>{change > 0 ? "up " : "down "}</Hidden>
      {formatExact(Math.abs(change))}
    </span>
  );
}
