import { Link } from "@tanstack/react-router";
import type { GroupSort } from "../../api/activityLists.ts";
import type { GroupKey, GroupRow } from "../../api/groups.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { groupLink } from "../../scope/keyLinks.ts";
import { withTimeRange } from "../../scope/search.ts";
import { rowLinkClass } from "../../ui/Table/Table.tsx";
import { ActivityTable } from "../../widgets/ActivityTable.tsx";

export interface GroupTableProps {
  groups: readonly GroupRow[];
  groupKind: GroupKey;
  /** The time range whose events count, which the page of a group keeps. */
  timeRange: TimeRange;
  sort: GroupSort;
  onSort: (key: string) => void;
  timezone: string;
}

/** Groups by activity, with bars on a common base. */
export function GroupTable({ groups, groupKind, timeRange, sort, onSort, timezone }: GroupTableProps) {
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
            <Link to="/groups/$groupKey" params={linkTarget.params} search={{ ...withTimeRange({}, timeRange), ...linkTarget.search }} className={rowLinkClass}>
              {groupKey}
            </Link>
          );
        },
      }}
      timeRange={timeRange}
      sort={sort}
      onSort={onSort}
      timezone={timezone}
    />
  );
}
