import { Link } from "@tanstack/react-router";
import type { GroupSort } from "../../api/activityLists.ts";
import type { GroupKey, ListedGroup } from "../../api/groups.ts";
import { formatExact } from "../../core/numbers.ts";
import { groupLink } from "../../scope/keyLinks.ts";
import { withTimeRange } from "../../scope/search.ts";
import { rowLinkClass } from "../../ui/Table/Table.tsx";
import { ActivityTable } from "../../widgets/ActivityTable.tsx";
import type { TrendedEvents } from "../../widgets/trends.ts";

export interface GroupTableProps {
  groups: readonly ListedGroup[];
  groupKind: GroupKey;
  /** The events that count; the page of a group keeps their time range. */
  events: TrendedEvents;
  sort: GroupSort;
  onSort: (key: string) => void;
  timezone: string;
}

/** Groups by activity, with bars on a common base. */
export function GroupTable({ groups, groupKind, events, sort, onSort, timezone }: GroupTableProps) {
  return (
    <ActivityTable
      label={groupKind.label}
      rows={groups}
      rowKey={({ groupKey }) => groupKey}
      nameColumn={{
        key: "group",
        label: groupKind.label,
        render: ({ groupKey }) => {
          const linkTarget = groupLink(groupKey, groupKind.propKey);
          return (
            <Link to="/groups/$groupKey" params={linkTarget.params} search={{ ...withTimeRange({}, events.timeRange), ...linkTarget.search }} className={rowLinkClass}>
              {groupKey}
            </Link>
          );
        },
      }}
      extraColumn={{ key: "actors", label: "Actors", align: "end", width: 72, hideBelow: 600, render: ({ actorCount }) => formatExact(actorCount) }}
      events={events}
      sort={sort}
      onSort={onSort}
      timezone={timezone}
    />
  );
}
