import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type GroupPage, groupsQuery } from "../../../api/groups.ts";
import { dependenciesOf, fetchBehindPage } from "../../../api/widgets.ts";
import { countInWords, formatExact } from "../../../core/numbers.ts";
import { withTimeRange } from "../../../scope/search.ts";
import { UnitList } from "../../../scope/units/UnitList.tsx";
import { unitCountInWords } from "../../../scope/units/unitPages.ts";
import { Tabs } from "../../../ui/Tabs/Tabs.tsx";
import type { PanelTab } from "../useOpenedSpot.ts";
import { EventList } from "./EventList.tsx";
import { eventsSearchOf } from "./eventsSearch.ts";
import { filtersOfEvents } from "./selection.ts";
import type { PointRequest, Point } from "./usePoint.ts";

export interface BehindListsProps {
  request: PointRequest;
  point: Point;
  tab: PanelTab;
  onTab: (tab: PanelTab) => void;
  /** Undefined before it is known. */
  eventCount: number | undefined;
  /** What stands above each list. */
  children: ReactNode;
}

const PAGE_SIZE = 100;

/** The lists of those behind a number: actors or groups as the API counts them, their groups, and their events. */
export function BehindLists({ request, point, tab, onTab, eventCount, children }: BehindListsProps) {
  const { dashboard, widget, spot, dataFields, timezone } = request;
  const { timeRange, selection, groupKey } = point;
  const units = useInfiniteQuery({
    queryKey: ["/v1/widgets/{widget_id}/actors", widget.id, spot, ...dependenciesOf(dashboard, widget, dataFields)],
    queryFn: ({ pageParam, signal }) =>
      fetchBehindPage(widget.id, { ...dataFields, at: spot, limit: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
  });
  const events = selection?.leftOut.length === 0 ? point.events : null;
  const groups = useInfiniteQuery({
    ...groupsQuery(dashboard.environment, timeRange, groupKey?.propKey, { filters: events ? filtersOfEvents(events) : [] }),
    enabled: events !== null && groupKey !== undefined,
  });
  const tabs = [
    { value: "units" as const, label: unitCountInWords(units.data?.pages[0]) },
    ...(events && groupKey ? [{ value: "groups" as const, label: groupCountInWords(groups.data) }] : []),
    ...(events ? [{ value: "events" as const, label: eventCount === undefined ? "Events" : countInWords(eventCount, "event") }] : []),
  ];
  const openTab = tabs.some(({ value }) => value === tab) ? tab : "units";
  const search = withTimeRange({ env: dashboard.environment }, timeRange);
  return (
    <Tabs label="Behind this number" value={openTab} onChange={(value) => onTab(value as PanelTab)} tabs={tabs}>
      {children}
      {openTab === "groups" ? (
        <UnitList label="Groups behind this number" result={groups} search={search} timezone={timezone} />
      ) : openTab === "events" && events && selection ? (
        <EventList events={events} timeRange={timeRange} search={eventsSearchOf(dashboard.environment, selection, timeRange)} timezone={timezone} />
      ) : (
        <UnitList label="Who is behind this number" result={units} search={search} timezone={timezone} />
      )}
    </Tabs>
  );
}

/** Say how many groups there are: "61 groups", "50+ groups" while more pages follow. */
function groupCountInWords(data: InfiniteData<GroupPage> | undefined): string {
  if (!data) return "Groups";
  const count = data.pages.reduce((sum, { groups }) => sum + groups.length, 0);
  return data.pages.at(-1)?.next == null ? countInWords(count, "group") : `${formatExact(count)}+ groups`;
}
