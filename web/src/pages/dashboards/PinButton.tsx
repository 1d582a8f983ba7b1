import { Star } from "lucide-react";
import { togglePinned, usePinnedIds } from "../../scope/pinnedDashboards.ts";
import styles from "./PinButton.module.css";

/** The star that puts a dashboard into the navigation. */
export function PinButton({ dashboardId, name }: { dashboardId: string; name: string }) {
  const isPinned = usePinnedIds().includes(dashboardId);
  return (
    <button
      type="button"
      className={styles.star}
      aria-pressed={isPinned}
      aria-label={`Pin ${name}`}
      onClick={() => togglePinned(dashboardId)}
    >
      <Star size={15} strokeWidth={1.6} aria-hidden="true" />
    </button>
  );
}
