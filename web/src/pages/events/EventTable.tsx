import { ArrowUp } from "lucide-react";
import { memo, useEffect, useEffectEvent } from "react";
import type { Event } from "../../api/events.ts";
import { isFailure } from "../../core/failureNames.ts";
import { formatExact } from "../../core/numbers.ts";
import { formatClock, formatDate, shortDate } from "../../core/time.ts";
import { announce } from "../../ui/announce.ts";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./EventTable.module.css";
import { type GroupColumn, groupOf } from "./useGroupColumn.ts";
import { rowId } from "./useWalk.ts";

/** Assistive technology hears of new events at most so often. */
const SAID_EVERY_MS = 10_000;

export interface EventTableProps {
  rows: readonly Event[];
  isLoading: boolean;
  /** How many new events wait to be shown. */
  waiting: number;
  /** Whether the newest event is the first row. */
  atHead: boolean;
  onShowNew: () => void;
  selected: string | undefined;
  onSelect: (id: string) => void;
  group: GroupColumn | null;
  timezone: string;
}

/** Events as rows; what is new waits behind one button, so that nothing moves under the pointer. */
export function EventTable({ rows, isLoading, waiting, atHead, onShowNew, selected, onSelect, group, timezone }: EventTableProps) {
  useAnnouncement(waiting);
  const columns = group ? 5 : 4;
  const today = formatDate(useNow(), timezone);
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label="Events" aria-busy={isLoading || undefined}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
            <th scope="col" data-wide>
              Actor
            </th>
            {group ? (
              <th scope="col" data-wide>
                {group.label}
              </th>
            ) : null}
            <th scope="col" data-wide>
              Source
            </th>
          </tr>
        </thead>
        <tbody>
          {waiting > 0 || !atHead ? (
            <tr className={styles.fresh}>
              <td colSpan={columns}>
                <button type="button" onClick={onShowNew}>
                  <ArrowUp size={14} strokeWidth={1.6} aria-hidden="true" />
                  {waiting > 0 ? `${formatExact(waiting)} new` : "Newest events"}
                </button>
              </td>
            </tr>
          ) : null}
          {isLoading ? <Loading columns={columns} /> : null}
          {rows.map((event) => (
            <EventRow
              key={event.id}
              event={event}
              selected={event.id === selected}
              onSelect={onSelect}
              group={group}
              timezone={timezone}
              today={today}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface EventRowProps {
  event: Event;
  selected: boolean;
  onSelect: (id: string) => void;
  group: GroupColumn | null;
  timezone: string;
  /** The date of today, which is not repeated in each row. */
  today: string;
}

const EventRow = memo(function EventRow({ event, selected, onSelect, group, timezone, today }: EventRowProps) {
  const actor = event.actorLabel ?? event.actorKey;
  const place = groupOf(event, group);
  const day = formatDate(event.timestamp, timezone) === today ? "" : `${shortDate(event.timestamp, timezone)}, `;
  const time = day + formatClock(event.timestamp, timezone);
  return (
    <tr className={styles.row} data-selected={selected || undefined}>
      <td>
        <button
          type="button"
          id={rowId(event.id)}
          aria-label={`${time}, ${event.name}`}
          aria-pressed={selected}
          onClick={() => onSelect(event.id)}
        >
          {time}
        </button>
      </td>
      <td className={styles.name}>
        {isFailure(event.name) ? <i className={styles.failure} title="A failure" /> : null}
        <span>{event.name}</span>
        <small>{[actor, place].filter((part) => part !== null).join(" · ")}</small>
      </td>
      <td data-wide>{actor}</td>
      {group ? <td data-wide>{place}</td> : null}
      <td data-wide className={styles.source}>
        {event.source}
      </td>
    </tr>
  );
}, sameRow);

/** A handler is new with each drawing of the list, and does the same. */
function sameRow(one: EventRowProps, other: EventRowProps): boolean {
  const { event, selected, group, timezone, today } = one;
  return (
    event.id === other.event.id &&
    event.actorLabel === other.event.actorLabel &&
    selected === other.selected &&
    group === other.group &&
    timezone === other.timezone &&
    today === other.today
  );
}

function Loading({ columns }: { columns: number }) {
  return Array.from({ length: 12 }, (_, index) => (
    <tr key={index} className={styles.row}>
      <td colSpan={columns}>
        <Skeleton height={12} width={`${40 + ((index * 17) % 40)}%`} />
      </td>
    </tr>
  ));
}

/** Say now and then how many new events there are. */
function useAnnouncement(waiting: number): void {
  const any = waiting > 0;
  const say = useEffectEvent(() => announce(`${formatExact(waiting)} new`));
  useEffect(() => {
    if (!any) return undefined;
    const timer = setInterval(() => say(), SAID_EVERY_MS);
    return () => clearInterval(timer);
  }, [any]);
}
