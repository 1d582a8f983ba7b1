import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { identityQuery } from "../api/auth.ts";
import { countInWords } from "../core/numbers.ts";
import { useLiveCount } from "../live/useLiveCount.ts";
import { Logo } from "../ui/Logo/Logo.tsx";
import { announce } from "../ui/announce.ts";
import styles from "./LiveTally.module.css";
import { bundlesOf, nextDrawn } from "./tally.ts";

/** How long a stroke is drawn, in milliseconds. */
const STROKE_MS = 120;
/** A browser has six connections to a server, and the page needs some. */
const MAX_STREAMS = 3;
/** How often the count is said to people who do not see it, at most. */
const ANNOUNCE_EVERY_MS = 30_000;

export interface LiveTallyProps {
  /** Whose events are counted: a few of them, as each is a connection of its own. */
  environments: readonly string[];
  /** What is known to have arrived, whether or not the stream had begun. */
  minCount?: number;
  /** The first event is announced by the page. */
  isFirstAnnounced?: boolean;
  /** Draws what stands there before the first event. */
  renderWaiting: (isListening: boolean) => ReactNode;
}

/** The product's mark, drawn live: each event that arrives is a stroke, the fifth crosses the four. */
export function LiveTally({ environments, minCount = 0, isFirstAnnounced = false, renderWaiting }: LiveTallyProps) {
  const { data: identity } = useQuery(identityQuery);
  const workspaceId = identity?.workspace.id ?? "";
  const { count: streamCount, isListening } = useLiveCount(
    environments.slice(0, MAX_STREAMS).map((environment) => ({ workspaceId, environment, filters: [] })),
  );
  const count = Math.max(streamCount, minCount);
  const drawnCount = useDrawnCount(count);
  useRareAnnouncements(count, isFirstAnnounced);
  if (count === 0) return renderWaiting(isListening);
  return (
    <div className={styles.tally}>
      <div className={styles.bundles}>
        {bundlesOf(drawnCount).map(({ place, strokes }) => (
          <Logo key={place} size={36} strokes={strokes} />
        ))}
      </div>
      <div className={styles.words}>
        <p className={styles.count}>{countInWords(count, "event")}</p>
        <p className={styles.detail}>arrived since you opened this page</p>
      </div>
    </div>
  );
}

/** Follow a count stroke by stroke. */
function useDrawnCount(count: number): number {
  const [drawnCount, setDrawnCount] = useState(0);
  useEffect(() => {
    if (drawnCount === count) return undefined;
    const timer = setTimeout(() => setDrawnCount(nextDrawn(drawnCount, count)), drawnCount === 0 ? 0 : STROKE_MS);
    return () => clearTimeout(timer);
  }, [drawnCount, count]);
  return drawnCount;
}

/** Announce the first event at once, unless the page does, and then how many there are, every half minute at most. */
function useRareAnnouncements(count: number, isFirstAnnounced: boolean): void {
  const [announcedCount, setAnnouncedCount] = useState(0);
  const say = useEffectEvent(() => {
    if (count === announcedCount) return;
    setAnnouncedCount(count);
    if (announcedCount > 0 || !isFirstAnnounced) announce(`${countInWords(count, "event")} arrived`);
  });
  const hasStarted = count > 0;
  useEffect(() => {
    if (!hasStarted) return undefined;
    const firstTimer = setTimeout(say, 0);
    const timer = setInterval(say, ANNOUNCE_EVERY_MS);
    return () => {
      clearTimeout(firstTimer);
      clearInterval(timer);
    };
  }, [hasStarted]);
}
