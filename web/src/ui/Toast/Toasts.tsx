import { X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { type ShownToast, dismiss, shownToasts, subscribe } from "./toast.ts";
import styles from "./Toasts.module.css";

const SHOWN_FOR_MS = 10_000;

/** The place of messages that pass: at the bottom, above everything. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, shownToasts);
  if (toasts.length === 0) return null;
  return (
    <section className={styles.place} aria-label="Messages">
      {toasts.map((toast) => (
        <Pill key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

/** One message. The clock stands still while somebody points at it or has the focus in it. */
function Pill({ toast: { id, text, action, tone = "plain" } }: { toast: ShownToast }) {
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const isPaused = isPointedAt || isFocused;
  useEffect(() => {
    if (isPaused) return;
    const timer = window.setTimeout(() => dismiss(id), SHOWN_FOR_MS);
    return () => window.clearTimeout(timer);
  }, [isPaused, id]);
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it only stops its own clock
    <div
      role="group"
      aria-label={text}
      className={styles.pill}
      data-tone={tone}
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <p className={styles.text}>{text}</p>
      {action ? (
        <button
          type="button"
          className={styles.act}
          onClick={() => {
            dismiss(id);
            action.onAct();
          }}
        >
          {action.label}
        </button>
      ) : null}
      <button type="button" className={styles.close} aria-label="Dismiss" onClick={() => dismiss(id)}>
        <X size={14} strokeWidth={1.6} aria-hidden="true" />
      </button>
    </div>
  );
}
