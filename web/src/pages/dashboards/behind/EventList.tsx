import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type EventSelection, newestEventsQuery } from "../../../api/events.ts";
import { errorInWords } from "../../../api/words.ts";
import { formatBriefly } from "../../../core/time.ts";
import type { TimeRange } from "../../../core/timeRanges.ts";
import type { ScopeSearch } from "../../../scope/search.ts";
import { RowList } from "../../../scope/units/RowList.tsx";
import { Notices } from "../../../ui/Notices/Notices.tsx";
import { Skeleton } from "../../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../../ui/States/ErrorState.tsx";
import { State } from "../../../ui/States/State.tsx";

export interface EventListProps {
  events: EventSelection;
  timeRange: TimeRange;
  /** The address of these events on their own page. */
  search: ScopeSearch & { name?: string };
  timezone: string;
}

/** The newest events behind a number; each leads to itself on the page of events. */
export function EventList({ events, timeRange, search, timezone }: EventListProps) {
  const { data, error, refetch } = useQuery(newestEventsQuery(events, timeRange));
  if (error && !data) return <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} />;
  if (data.events.length === 0) return <State title="No events" detail="Nothing was counted here." />;
  const rows = data.events.map(({ id, name, actorKey, actorLabel, timestamp }) => ({
    key: id,
    name: <Link to="/events" search={{ ...search, sel: id }}>{name}</Link>,
    detail: actorLabel ?? actorKey,
    time: formatBriefly(timestamp, timezone),
  }));
  return (
    <>
      <Notices notices={data.notices} timezone={timezone} />
      <RowList label="Newest events behind this number" rows={rows} />
    </>
  );
}
