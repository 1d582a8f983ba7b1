import { type ReactNode, useMemo, useState } from "react";
import { isFailure } from "../core/failureNames.ts";
import { propertiesInWords } from "../core/properties.ts";
import { formatClock, dayName } from "../core/time.ts";
import { Button } from "../ui/Button/Button.tsx";
import { Card } from "../ui/Card/Card.tsx";
import { Json } from "../ui/Code/Json.tsx";
import { Timeline, type TimelineDay } from "../ui/Timeline/Timeline.tsx";
import { useNow } from "../ui/useNow.ts";
import styles from "./TimelineCard.module.css";

/** So many stand there at first; the others one step away. */
const FIRST_COUNT = 20;

/** An event as timelines show it. */
export interface TimelineEvent {
  id: string;
  name: string;
  timestamp: string;
  source: string | null;
  properties: unknown;
}

export interface TimelineCardProps<Shown extends TimelineEvent> {
  title: string;
  /** Newest first. */
  events: readonly Shown[];
  /** Whether there are older ones that are not shown. */
  hasMore: boolean;
  timezone: string;
  /** The event that is open. */
  openId: string | undefined;
  onOpen: (id: string | undefined) => void;
  /** What stands beside each event: its group, its actor. */
  renderPlace: (event: Shown) => ReactNode;
  /** A property that stands there already. */
  exceptKey?: string | undefined;
  /** A link to all of them. */
  tools: ReactNode;
}

/** The newest events of somebody, day by day; each opens in place. */
export function TimelineCard<Shown extends TimelineEvent>(props: TimelineCardProps<Shown>) {
  const { title, events, hasMore, timezone, openId, onOpen, renderPlace, exceptKey, tools } = props;
  const now = useNow();
  const [isExpanded, setExpanded] = useState(false);
  const showsAll = isExpanded || events.length <= FIRST_COUNT || events.findIndex(({ id }) => id === openId) >= FIRST_COUNT;
  const visibleEvents = useMemo(() => (showsAll ? events : events.slice(0, FIRST_COUNT)), [events, showsAll]);
  const days = useMemo(() => daysOf(visibleEvents, timezone, now), [visibleEvents, timezone, now]);
  const timelineDays: TimelineDay[] = days.map(({ name, events: dayEvents }) => ({
    name,
    items: dayEvents.map((event) => ({
      id: event.id,
      time: formatClock(event.timestamp, timezone).slice(0, 5),
      name: event.name,
      detail: propertiesInWords(event.properties, exceptKey),
      place: renderPlace(event),
      source: event.source,
      isFailure: isFailure(event.name),
    })),
  }));
  return (
    <Card
      title={title}
      note={hasMore || !showsAll ? `newest ${visibleEvents.length}` : "all in this time range"}
      tools={tools}
      footer={showsAll ? null : <Button onClick={() => setExpanded(true)}>{`Show ${events.length - FIRST_COUNT} more`}</Button>}
      flush
    >
      <Timeline
        days={timelineDays}
        openId={openId}
        onToggle={(id) => onOpen(id === openId ? undefined : id)}
        renderDetails={(id) => <OpenEvent event={events.find((event) => event.id === id)} timezone={timezone} />}
      />
    </Card>
  );
}

function OpenEvent({ event, timezone }: { event: TimelineEvent | undefined; timezone: string }) {
  if (!event) return null;
  return (
    <div className={styles.opened}>
      <p>
        {formatClock(event.timestamp, timezone)}.{event.timestamp.slice(20, 23)} {timezone} · <span className={styles.id}>{event.id}</span>
      </p>
      <Json value={event.properties} label="Properties" />
    </div>
  );
}

/** Return events by the day on which they came, in the same order. */
function daysOf<Shown extends TimelineEvent>(events: readonly Shown[], timezone: string, now: number): { name: string; events: Shown[] }[] {
  const days: { name: string; events: Shown[] }[] = [];
  for (const event of events) {
    const name = dayName(event.timestamp, timezone, now);
    const lastDay = days.at(-1);
    if (lastDay?.name === name) lastDay.events.push(event);
    else days.push({ name, events: [event] });
  }
  return days;
}
