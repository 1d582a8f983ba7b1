import { useState } from "react";
import { formatExact } from "../../core/numbers.ts";
import { State } from "../../ui/States/State.tsx";
import styles from "./Stage.module.css";

export interface StageProps {
  /** Where the server draws it; null while it would not, or while the address is still changing. */
  address: string | null;
  /** Why it would not; null if it would. */
  refusal: string | null;
  alt: string;
  width: number;
  height: number;
}

/** The picture as the server draws it. */
export function Stage({ address, refusal, alt, width, height }: StageProps) {
  const [brokenAddress, setBrokenAddress] = useState<string | null>(null);
  const [durationMs, setDurationMs] = useState<number | null>(null);
  const reason = refusal ?? (brokenAddress !== null && brokenAddress === address ? "The server couldn't draw the picture. Check the points and colors." : null);
  return (
    <section className={styles.stage} aria-label="Preview">
      {reason !== null ? (
        <div className={styles.empty}>
          <State title="No picture yet" detail={reason} />
        </div>
      ) : address === null ? (
        <div className={styles.empty} />
      ) : (
        <img
          className={styles.picture}
          src={address}
          alt={alt}
          width={width}
          height={height}
          onLoad={({ currentTarget }) => setDurationMs(performance.getEntriesByName(currentTarget.src).at(-1)?.duration ?? null)}
          onError={() => setBrokenAddress(address)}
        />
      )}
      {reason === null && durationMs !== null ? <p className={styles.took}>drawn in {formatExact(Math.max(1, Math.round(durationMs)))} ms</p> : null}
    </section>
  );
}
