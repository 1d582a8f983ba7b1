import { useQuery } from "@tanstack/react-query";
import { type GroupDetail, groupQuery } from "../../api/groups.ts";
import { questionQuery } from "../../api/widgets.ts";
import { shortKey } from "../../core/shortKeys.ts";
import { changeInWords, changeOf } from "../../core/changes.ts";
import { formatAlone } from "../../core/numbers.ts";
import { formatAgo, formatDate, dateTime, shortDate } from "../../core/time.ts";
import { timeRangeInWords } from "../../scope/days.ts";
import type { Condition } from "../../scope/filters.ts";
import type { Scope } from "../../scope/useScope.ts";
import { Facts } from "../../ui/Facts/Facts.tsx";
import { useNow } from "../../ui/useNow.ts";

export interface GroupFactsProps {
  group: GroupDetail;
  /** The filter that keeps the events of this group. */
  groupFilter: Condition;
  scope: Scope;
  timezone: string;
}

/** Four facts: how many events within the time range and how that changed, how busy a day is; and of all time, since when, and when last. */
export function GroupFacts({ group, groupFilter, scope: { environment, timeRange }, timezone }: GroupFactsProps) {
  const now = useNow();
  const { data: allTimeGroup } = useQuery(groupQuery(environment, { timeRange: "all" }, group.propKey, group.groupKey));
  const { data: countAnswer } = useQuery(
    questionQuery({ environment, type: "metric", ...timeRange, config: { events: "all", measure: "count", filters: [groupFilter], compare: "previous" } }),
  );
  const change = countAnswer?.kind === "counter" ? changeOf(countAnswer.value, countAnswer.previous) : null;
  const { firstSeen, lastActive, recent: [newestEvent] } = allTimeGroup ?? group;
  const actorName = newestEvent?.actorLabel ?? (newestEvent?.actorKey && shortKey(newestEvent.actorKey));
  return (
    <Facts
      facts={[
        {
          label: `Events, ${timeRangeInWords(timeRange, timezone).toLowerCase()}`,
          value: formatAlone(group.eventCount),
          detail: change ? `${changeInWords(change)} vs. previous period` : undefined,
        },
        { label: "Per active day", value: formatAlone(group.perDay), detail: "UTC days with events" },
        { label: "First seen", value: shortDate(firstSeen, timezone), unit: formatDate(firstSeen, timezone).slice(-4), detail: formatAgo(firstSeen, now) },
        {
          label: "Last active",
          value: <time dateTime={lastActive} title={dateTime(lastActive, timezone)}>{formatAgo(lastActive, now)}</time>,
          detail: newestEvent ? (actorName ? `${newestEvent.name} by ${actorName}` : newestEvent.name) : undefined,
        },
      ]}
    />
  );
}
