import { useEffect } from "react";
import { announce } from "../../ui/announce.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { TallyStep } from "../../ui/Steps/TallyStep.tsx";
import { Waiting } from "../../ui/Steps/Waiting.tsx";
import { Arrived } from "./Arrived.tsx";
import { elapsedInWords } from "./arrivals.ts";
import { Reasons } from "./Reasons.tsx";
import { RefusalRows } from "./RefusalRows.tsx";
import styles from "./StartPage.module.css";
import type { Arrival } from "./useArrival.ts";
import { useElapsed } from "./useElapsed.ts";
import { useRefusals } from "./useRefusals.ts";

export interface ArriveStepProps {
  /** The first event since the page opened; null while none has come. */
  arrival: Arrival | null;
  /** The server cannot be reached. */
  hasFailed: boolean;
  timezone: string;
}

/** The third step: wait for the event, show what was refused meanwhile, then the event itself. */
export function ArriveStep({ arrival, hasFailed, timezone }: ArriveStepProps) {
  const refusals = useRefusals(arrival === null);
  const elapsedSeconds = useElapsed(arrival === null);
  const name = arrival?.event.name;
  useEffect(() => {
    if (name) announce(`It arrived: ${name}`);
  }, [name]);
  return (
    <TallyStep
      strokes={3}
      title="See it arrive"
      isDone={arrival !== null}
      badge={arrival ? <Badge tone="ok">arrived</Badge> : null}
    >
      <div className={styles.card}>
        {arrival ? (
          <Arrived arrival={arrival} timezone={timezone} />
        ) : (
          <Waiting
            title="Listening for the first event"
            detail={
              hasFailed
                ? "No connection to the server. This page keeps trying."
                : "Any key of this workspace counts. This page turns over by itself."
            }
            elapsed={elapsedInWords(elapsedSeconds)}
          />
        )}
        <RefusalRows refusals={refusals} />
      </div>
      {arrival ? null : <Reasons isOpen={elapsedSeconds >= 60} />}
    </TallyStep>
  );
}
