import { Link } from "@tanstack/react-router";
import type { GroupKey, GroupRow } from "../../api/groups.ts";
import type { TimeRange } from "../../core/timeRanges.ts";
import { groupLink } from "../../scope/keyLinks.ts";
import { withTimeRange } from "../../scope/search.ts";
import { rowLink } from "../../ui/Table/Table.tsx";
import { ActivityTable } from "../../widgets/ActivityTable.tsx";

export interface GroupTableProps {
  /** The busiest first. */
  groups: readonly GroupRow[];
  kind: GroupKey;
  /** The time range of the list, which the page of a group keeps. */
  timeRange: TimeRange;
  timezone: string;
}

/** Groups by activity, with bars on a common base. */
export function GroupTable({ groups, kind, timeRange, timezone }: GroupTableProps) {
  return (
    <ActivityTable
      label={kind.label}
      rows={groups}
      rowKey={({ groupKey }) => groupKey}
      who={{
        key: "group",
        label: kind.label,
        render: ({ groupKey }) => {
          const place = groupLink(groupKey, kind.propKey);
          return (
            <Link to="/groups/$groupKey" params={place.params} search={{ ...withTimeRange({}, timeRange), ...place.search }} className={rowLink}>
              {groupKey}
            </Link>
          );
        },
      }}
      barWidth="36%"
      timezone={timezone}
    />
  );
}
