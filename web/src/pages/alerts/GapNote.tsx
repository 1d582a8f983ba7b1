import { Check } from "lucide-react";
import { useState } from "react";
import type { Alert } from "../../api/alerts.ts";
import { toMilliseconds } from "../../core/time.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./Alert.module.css";
import { Pieces } from "./Pieces.tsx";
import { ResolveDialog } from "./ResolveDialog.tsx";
import { gapInWords } from "./words.ts";

/** That an incident is open only because there is no value; nothing otherwise. */
export function GapNote({ alert, mayWrite }: { alert: Alert; mayWrite: boolean }) {
  const now = useNow();
  const [isResolving, setIsResolving] = useState(false);
  if (alert.noDataSince === null) return null;
  return (
    <section className={styles.gap} aria-label="No data">
      <p>
        <Pieces pieces={gapInWords(alert, Math.max(0, now - toMilliseconds(alert.noDataSince)))} />
      </p>
      {mayWrite ? (
        <Button small icon={Check} onClick={() => setIsResolving(true)}>Resolve</Button>
      ) : null}
      {isResolving ? <ResolveDialog alert={alert} onClose={() => setIsResolving(false)} /> : null}
    </section>
  );
}
