import { useQuery } from "@tanstack/react-query";
import { type GroupDetail, groupQuery } from "../../api/groups.ts";
import { questionQuery } from "../../api/widgets.ts";
import { formatPercent, formatAlone } from "../../core/numbers.ts";
import { formatAgo, formatDate, dateTime, shortDate } from "../../core/time.ts";
import { timeRangeInWords } from "../../scope/days.ts";
import type { Condition } from "../../scope/filters.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Facts } from "../../ui/Facts/Facts.tsx";
import { useNow } from "../../ui/useNow.ts";

export interface GroupFactsProps {
  group: GroupDetail;
  /** The filter that keeps the events of this group. */
  only: Condition;
  scope: Scope;
  timezone: string;
}

/** Four facts: how many events and how that changed, how busy a day is, since when, and when last. */
export function GroupFacts({ group, only, scope: { environment, timeRange }, timezone }: GroupFactsProps) {
  const now = useNow();
  const { data: ever } = useQuery(groupQuery(environment, { timeRange: "all" }, group.propKey, group.groupKey));
  const { data: count } = useQuery(
    questionQuery({ environment, type: "metric", ...timeRange, config: { events: "all", measure: "count", filters: [only], compare: "previous" } }),
  );
  const delta = count?.kind === "counter" ? count.delta : null;
  const first = ever?.firstSeen ?? group.firstSeen;
  const last = group.recent[0];
  const by = last?.actorLabel ?? last?.actorKey;
  return (
    <Facts
      facts={[
        {
          label: `Events, ${timeRangeInWords(timeRange, timezone).toLowerCase()}`,
          value: formatAlone(group.eventCount),
          detail: delta === null ? undefined : `${delta < 0 ? "↓" : "↑"} ${formatPercent(Math.abs(delta))} on the span before`,
        },
        { label: "Per active day", value: formatAlone(group.perDay), detail: "days in UTC that have events" },
        { label: "First seen", value: shortDate(first, timezone), unit: formatDate(first, timezone).slice(-4), detail: formatAgo(first, now) },
        {
          label: "Last active",
          value: <time dateTime={group.lastActive} title={dateTime(group.lastActive, timezone)}>{formatAgo(group.lastActive, now)}</time>,
          detail: last ? (by ? `${last.name} by ${by}` : last.name) : undefined,
        },
      ]}
    />
  );
}
