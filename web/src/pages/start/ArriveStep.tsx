import { Suspense, useEffect, useState } from "react";
import { elapsedInWords } from "../../scope/arrival/arrivals.ts";
import type { Arrival } from "../../scope/arrival/useArrival.ts";
import { announce } from "../../ui/announce.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { TallyStep } from "../../ui/Steps/TallyStep.tsx";
import { Waiting } from "../../ui/Steps/Waiting.tsx";
import { lazily } from "../../ui/lazily.ts";
import { Arrived } from "./Arrived.tsx";
import { RefusalRows } from "./RefusalRows.tsx";
import styles from "./StartPage.module.css";

const LiveTally = lazily(() => import("../../widgets/LiveTally.tsx"), "LiveTally");

export interface ArriveStepProps {
  /** The first event since the page opened; null while none has come. */
  arrival: Arrival | null;
  /** Those of the workspace. */
  environments: readonly string[];
  /** The server cannot be reached. */
  hasFailed: boolean;
  timezone: string;
}

/** The third step: wait for the event, show what was refused meanwhile, then the event itself. */
export function ArriveStep({ arrival, environments, hasFailed, timezone }: ArriveStepProps) {
  const elapsedSeconds = useElapsed(arrival === null);
  const name = arrival?.event.name;
  useEffect(() => {
    if (name) announce(`Event arrived: ${name}`);
  }, [name]);
  const waiting = (
    <Waiting
      title="Waiting for the first event"
      detail={
        hasFailed
          ? "No connection to the server. This page keeps trying."
          : "Any key in this workspace works. This page updates automatically."
      }
      elapsed={elapsedInWords(elapsedSeconds)}
    />
  );
  return (
    <TallyStep
      strokes={3}
      title="See it arrive"
      isDone={arrival !== null}
      badge={arrival ? <Badge tone="ok">arrived</Badge> : null}
    >
      <div className={styles.card}>
        <Suspense fallback={waiting}>
          <LiveTally environments={environments} minCount={arrival ? 1 : 0} isFirstAnnounced renderWaiting={() => waiting} />
        </Suspense>
        {arrival ? <Arrived arrival={arrival} timezone={timezone} /> : null}
        <RefusalRows isWaiting={arrival === null} />
      </div>
      {arrival ? null : <Reasons isOpen={elapsedSeconds >= 60} />}
    </TallyStep>
  );
}

/** Why nothing arrives, as a rule; open after a minute of waiting. */
function Reasons({ isOpen }: { isOpen: boolean }) {
  return (
    <details className={styles.reasons} open={isOpen}>
      <summary>Nothing after a minute? Four common reasons</summary>
      <ol className={styles.list}>
        <li>
          <strong>Another environment.</strong> Keys with <code className={styles.code}>tr_live_</code> send to production,
          keys with <code className={styles.code}>tr_test_</code> to the environment they were created for.
        </li>
        <li>
          <strong>The key is incomplete or revoked.</strong> The response is 401. Unknown keys don't belong to a workspace, so
          these requests aren't shown above.
        </li>
        <li>
          <strong>A proxy or firewall is in the way.</strong> On the same machine,{" "}
          <code className={styles.code}>curl {location.origin}/healthz</code> shows whether the server is reachable.
        </li>
        <li>
          <strong>The program exits too early.</strong> It must wait for the 202 response.
        </li>
      </ol>
    </details>
  );
}

/** Return the seconds since the component appeared, as long as it runs. */
function useElapsed(isRunning: boolean): number {
  const [startedMs] = useState(() => Date.now());
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    const timer = window.setInterval(() => setSeconds(Math.floor((Date.now() - startedMs) / 1_000)), 1_000);
    return () => window.clearInterval(timer);
  }, [isRunning, startedMs]);
  return seconds;
}
