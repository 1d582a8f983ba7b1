import { useQuery } from "@tanstack/react-query";
import { type ActorDetail, actorQuery } from "../../api/actors.ts";
import type { GroupKey } from "../../api/groups.ts";
import { questionQuery } from "../../api/widgets.ts";
import { countInWords, formatExact, formatShort, formatAlone } from "../../core/numbers.ts";
import { formatAgo, formatDate, dateTime, shortDate } from "../../core/time.ts";
import { timeRangeInWords } from "../../scope/days.ts";
import type { Condition } from "../../scope/filters.ts";
import { propertyKey } from "../../scope/propertyKey.ts";
import type { Scope } from "../../scope/useScope.ts";
import { type Fact, Facts } from "../../ui/Facts/Facts.tsx";
import { useNow } from "../../ui/useNow.ts";

const DAY_MS = 86_400_000;

export interface ActorFactsProps {
  actor: ActorDetail;
  /** The filter that keeps the events of this actor. */
  only: Condition;
  scope: Scope;
  /** The default group key; null without one. */
  group: GroupKey | null;
  timezone: string;
}

/** Four facts: how many events, in how many groups, since when, and when last. */
export function ActorFacts({ actor, only, scope, group, timezone }: ActorFactsProps) {
  const now = useNow();
  const { environment, timeRange } = scope;
  const { data: ever } = useQuery(actorQuery(environment, { timeRange: "all" }, actor.actorKey));
  const days = Math.max(1, Math.ceil((Date.parse(actor.lastSeen) - Date.parse(actor.firstSeen)) / DAY_MS));
  const first = ever?.firstSeen ?? actor.firstSeen;
  const last = actor.timeline[0];
  const groups = useGroupFact({ only, scope, group });
  return (
    <Facts
      facts={[
        {
          label: `Events, ${timeRangeInWords(timeRange, timezone).toLowerCase()}`,
          value: formatAlone(actor.eventCount),
          detail: days > 1 ? `${formatShort(Math.round((actor.eventCount / days) * 10) / 10)} on an average day` : undefined,
        },
        groups ?? { label: "Names of events, newest", value: formatExact(new Set(actor.timeline.map(({ name }) => name)).size), detail: `among ${countInWords(actor.timeline.length, "event")}` },
        { label: "First seen", value: shortDate(first, timezone), unit: formatDate(first, timezone).slice(-4), detail: formatAgo(first, now) },
        {
          label: "Last seen",
          value: <time dateTime={actor.lastSeen} title={dateTime(actor.lastSeen, timezone)}>{formatAgo(actor.lastSeen, now)}</time>,
          detail: last ? [last.name, last.source].filter((part) => part !== null).join(" on ") : undefined,
        },
      ]}
    />
  );
}

/** Return how many groups the actor was in, and in which most; null without a group key. */
function useGroupFact({ only, scope: { environment, timeRange }, group }: Pick<ActorFactsProps, "only" | "scope" | "group">): Fact | null {
  const key = propertyKey(group?.propKey ?? "");
  const base = { environment, type: "metric" as const, ...timeRange };
  const config = { events: "all" as const, filters: [only] };
  const { data: count } = useQuery({
    ...questionQuery({ ...base, config: { ...config, measure: "uniq", property: key, compare: false } }),
    enabled: group !== null,
  });
  const { data: most } = useQuery({
    ...questionQuery({ ...base, config: { ...config, measure: "count", breakdown: key, limit: 1 } }),
    enabled: group !== null,
  });
  if (!group) return null;
  const busiest = most?.kind === "categorical" ? most.rows[0]?.label : undefined;
  return {
    label: `Groups, by ${group.label}`,
    value: count?.kind === "counter" ? formatAlone(count.value) : "–",
    detail: busiest ? `${busiest} most` : undefined,
  };
}
