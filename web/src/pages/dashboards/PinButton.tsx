import { Star } from "lucide-react";
import { togglePinned, usePinned } from "../../scope/pinnedDashboards.ts";
import styles from "./PinButton.module.css";

/** The star that puts a dashboard into the navigation. */
export function PinButton({ id, name }: { id: string; name: string }) {
  const on = usePinned().includes(id);
  return (
    <button
      type="button"
      className={styles.star}
      aria-pressed={on}
      aria-label={`Pin ${name}`}
      onClick={() => togglePinned(id)}
    >
      <Star size={15} strokeWidth={1.6} aria-hidden="true" />
    </button>
  );
}
