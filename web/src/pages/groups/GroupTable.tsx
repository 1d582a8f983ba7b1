import { Link } from "@tanstack/react-router";
import type { GroupKey, GroupRow } from "../../api/groups.ts";
import type { Span } from "../../core/spans.ts";
import { groupPlace } from "../../scope/places.ts";
import { withSpan } from "../../scope/search.ts";
import { rowLink } from "../../ui/Table/Table.tsx";
import { ActivityTable } from "../../widgets/ActivityTable.tsx";

export interface GroupTableProps {
  /** The busiest first. */
  groups: readonly GroupRow[];
  kind: GroupKey;
  /** The span of the list, which the page of a group keeps. */
  span: Span;
  timezone: string;
}

/** Groups by activity, with bars on a common base. */
export function GroupTable({ groups, kind, span, timezone }: GroupTableProps) {
  return (
    <ActivityTable
      label={kind.label}
      rows={groups}
      rowKey={({ groupKey }) => groupKey}
      who={{
        key: "group",
        label: kind.label,
        render: ({ groupKey }) => {
          const place = groupPlace(groupKey, kind.propKey);
          return (
            <Link to="/groups/$groupKey" params={place.params} search={{ ...withSpan({}, span), ...place.search }} className={rowLink}>
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
