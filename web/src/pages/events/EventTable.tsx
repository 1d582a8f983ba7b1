import { ArrowUp } from "lucide-react";
import { memo, useEffect, useEffectEvent } from "react";
import type { Event } from "../../api/events.ts";
import { isFailure } from "../../core/failureNames.ts";
import { formatExact } from "../../core/numbers.ts";
import { propertiesInWords } from "../../core/properties.ts";
import { shortKey } from "../../core/shortKeys.ts";
import { formatClock, formatDate, shortDate } from "../../core/time.ts";
import { announce } from "../../ui/announce.ts";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./EventTable.module.css";
import { type GroupColumn, groupKeyOf } from "./useGroupColumn.ts";
import { rowElementId } from "./useWalk.ts";

/** Assistive technology hears of new events at most so often. */
const ANNOUNCE_INTERVAL_MS = 10_000;

export interface EventTableProps {
  rows: readonly Event[];
  isLoading: boolean;
  /** How many new events wait to be shown. */
  waitingCount: number;
  /** Whether the newest event is the first row. */
  isAtHead: boolean;
  onShowNew: () => void;
  selectedId: string | undefined;
  onSelect: (id: string) => void;
  groupColumn: GroupColumn | null;
  timezone: string;
}

/** Events as rows; what is new waits behind one button, so that nothing moves under the pointer. */
export function EventTable({
  rows,
  isLoading,
  waitingCount,
  isAtHead,
  onShowNew,
  selectedId,
  onSelect,
  groupColumn,
  timezone,
}: EventTableProps) {
  useAnnouncement(waitingCount);
  const columnCount = groupColumn ? 6 : 5;
  const today = formatDate(useNow(), timezone);
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label="Events" aria-busy={isLoading || undefined}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Event</th>
            <th scope="col" data-widest>
              Properties
            </th>
            <th scope="col" data-wide>
              Actor
            </th>
            {groupColumn ? (
              <th scope="col" data-wide>
                {groupColumn.label}
              </th>
            ) : null}
            <th scope="col" data-wide>
              Source
            </th>
          </tr>
        </thead>
        <tbody>
          {waitingCount > 0 || !isAtHead ? (
            <tr className={styles.fresh}>
              <td colSpan={columnCount}>
                <button type="button" onClick={onShowNew}>
                  <ArrowUp size={14} strokeWidth={1.6} aria-hidden="true" />
                  {waitingCount > 0 ? `${formatExact(waitingCount)} new` : "Newest events"}
                </button>
              </td>
            </tr>
          ) : null}
          {isLoading ? <LoadingRows columnCount={columnCount} /> : null}
          {rows.map((event) => (
            <EventRow
              key={event.id}
              event={event}
              isSelected={event.id === selectedId}
              onSelect={onSelect}
              groupColumn={groupColumn}
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
  isSelected: boolean;
  onSelect: (id: string) => void;
  groupColumn: GroupColumn | null;
  timezone: string;
  /** The date of today, which is not repeated in each row. */
  today: string;
}

const EventRow = memo(function EventRow({ event, isSelected, onSelect, groupColumn, timezone, today }: EventRowProps) {
  const actorName = event.actorLabel ?? event.actorKey;
  const groupKey = groupKeyOf(event, groupColumn);
  const dayPrefix = formatDate(event.timestamp, timezone) === today ? "" : `${shortDate(event.timestamp, timezone)}, `;
  const time = dayPrefix + formatClock(event.timestamp, timezone);
  return (
    <tr className={styles.row} data-selected={isSelected || undefined}>
      <td>
        <button
          type="button"
          id={rowElementId(event.id)}
          aria-label={`${time}, ${event.name}`}
          aria-pressed={isSelected}
          onClick={() => onSelect(event.id)}
        >
          {time}
        </button>
      </td>
      <td className={styles.name}>
        {isFailure(event.name) ? <i className={styles.failure} title="Failure" /> : null}
        <span>{event.name}</span>
        <small>{[actorName, groupKey].filter((part) => part !== null).join(" · ")}</small>
      </td>
      <td data-widest className={styles.properties}>
        {propertiesInWords(event.properties, groupColumn?.propKey)}
      </td>
      <td data-wide>{event.actorLabel ?? (event.actorKey && shortKey(event.actorKey))}</td>
      {groupColumn ? <td data-wide title={groupKey ?? undefined}>{groupKey && shortKey(groupKey)}</td> : null}
      <td data-wide className={styles.source}>
        {event.source}
      </td>
    </tr>
  );
}, isSameRow);

/** A handler is new with each drawing of the list, and does the same. */
function isSameRow(previous: EventRowProps, next: EventRowProps): boolean {
  const { event, isSelected, groupColumn, timezone, today } = previous;
  return (
    event.id === next.event.id &&
    event.actorLabel === next.event.actorLabel &&
    isSelected === next.isSelected &&
    groupColumn === next.groupColumn &&
    timezone === next.timezone &&
    today === next.today
  );
}

function LoadingRows({ columnCount }: { columnCount: number }) {
  return Array.from({ length: 12 }, (_, index) => (
    <tr key={index} className={styles.row}>
      <td colSpan={columnCount}>
        <Skeleton height={12} width={`${40 + ((index * 17) % 40)}%`} />
      </td>
    </tr>
  ));
}

/** Say now and then how many new events there are. */
function useAnnouncement(waitingCount: number): void {
  const hasWaiting = waitingCount > 0;
  const announceCount = useEffectEvent(() => announce(`${formatExact(waitingCount)} new`));
  useEffect(() => {
    if (!hasWaiting) return undefined;
    const timer = setInterval(() => announceCount(), ANNOUNCE_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [hasWaiting]);
}
