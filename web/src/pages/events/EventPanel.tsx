import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type Event, eventQuery } from "../../api/events.ts";
import type { Scope } from "../../scope/useScope.ts";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { State } from "../../ui/States/State.tsx";
import { EventActions } from "./EventActions.tsx";
import { EventFacts } from "./EventFacts.tsx";
import styles from "./EventPanel.module.css";
import { EventProperties } from "./EventProperties.tsx";
import type { GroupColumn } from "./useGroupColumn.ts";
import { PANEL_ID } from "./useWalk.ts";

export interface EventPanelProps {
  id: string;
  /** The event, if it is among the rows. */
  event: Event | undefined;
  /** The rows are still loading, so the event may yet be among them. */
  isLoading: boolean;
  scope: Scope;
  groupColumn: GroupColumn | null;
  timezone: string;
  hasNewer: boolean;
  hasOlder: boolean;
  onStep: (step: number) => void;
  onClose: () => void;
  mayWrite: boolean;
  onHidden: (id: string) => void;
  /** A hidden event was shown again. */
  onShown: () => void;
}

/** One event in full, beside the rows; on phones it covers them from below. */
export function EventPanel(props: EventPanelProps) {
  const { id, event: listedEvent, isLoading, scope, groupColumn, timezone, hasNewer, hasOlder, onStep, onClose } = props;
  const { data: fetchedEvent, isFetching } = useQuery({
    ...eventQuery(scope.environment, id),
    enabled: listedEvent === undefined && !isLoading,
  });
  const event = listedEvent ?? fetchedEvent ?? undefined;
  return (
    <section className={styles.panel} aria-label={event ? `Event ${event.name}` : "Event"}>
      <header className={styles.head}>
        <h2 id={PANEL_ID} className={styles.name} tabIndex={-1}>{event?.name ?? "Event"}</h2>
        <IconButton label="Newer event" icon={ChevronUp} disabled={!hasNewer} onClick={() => onStep(-1)} />
        <IconButton label="Older event" icon={ChevronDown} disabled={!hasOlder} onClick={() => onStep(1)} />
        <IconButton label="Close" icon={X} onClick={onClose} />
      </header>
      {event ? (
        <>
          <div className={styles.body}>
            <EventFacts event={event} groupColumn={groupColumn} timezone={timezone} />
            <EventProperties properties={event.properties} />
          </div>
          <div className={styles.foot}>
            <EventActions {...props} event={event} />
          </div>
        </>
      ) : isLoading || isFetching ? (
        <div className={styles.missing}>
          <Skeleton height={120} />
        </div>
      ) : (
        <div className={styles.missing}>
          <State
            title="Event not found"
            detail={`${scope.environment} has no event with the ID ${id}. It may be hidden, erased or in another environment.`}
          />
        </div>
      )}
    </section>
  );
}
