import { useQuery } from "@tanstack/react-query";
import { type ActorDetail, actorQuery } from "../../api/actors.ts";
import type { GroupKey } from "../../api/groups.ts";
import { questionQuery } from "../../api/widgets.ts";
import { shortKey } from "../../core/shortKeys.ts";
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
  actorFilter: Condition;
  scope: Scope;
  /** The default group key; null without one. */
  defaultGroupKey: GroupKey | null;
  timezone: string;
}

/** Four facts: how many events and in how many groups within the time range; and of all time, since when, and when last. */
export function ActorFacts({ actor, actorFilter, scope, defaultGroupKey, timezone }: ActorFactsProps) {
  const now = useNow();
  const { environment, timeRange } = scope;
  const { data: allTimeActor } = useQuery(actorQuery(environment, { timeRange: "all" }, actor.actorKey));
  const days = Math.max(1, Math.ceil((Date.parse(actor.lastSeen) - Date.parse(actor.firstSeen)) / DAY_MS));
  const { firstSeen, lastSeen, timeline: [newestEvent] } = allTimeActor ?? actor;
  const groupFact = useGroupFact({ actor, actorFilter, scope, defaultGroupKey });
  return (
    <Facts
      facts={[
        {
          label: `Events, ${timeRangeInWords(timeRange, timezone).toLowerCase()}`,
          value: formatAlone(actor.eventCount),
          detail: days > 1 ? `${formatShort(Math.round((actor.eventCount / days) * 10) / 10)} a day on average` : undefined,
        },
        groupFact ?? { label: "Event names", value: formatExact(new Set(actor.timeline.map(({ name }) => name)).size), detail: `in the last ${countInWords(actor.timeline.length, "event")}` },
        { label: "First seen", value: shortDate(firstSeen, timezone), unit: formatDate(firstSeen, timezone).slice(-4), detail: formatAgo(firstSeen, now) },
        {
          label: "Last seen",
          value: <time dateTime={lastSeen} title={dateTime(lastSeen, timezone)}>{formatAgo(lastSeen, now)}</time>,
          detail: newestEvent ? [newestEvent.name, newestEvent.source].filter((part) => part !== null).join(" on ") : undefined,
        },
      ]}
    />
  );
}

/** Return how many groups the actor was in, and in which at least half of the events were; null without a group key. */
function useGroupFact({
  actor,
  actorFilter,
  scope: { environment, timeRange },
  defaultGroupKey,
}: Pick<ActorFactsProps, "actor" | "actorFilter" | "scope" | "defaultGroupKey">): Fact | null {
  const key = propertyKey(defaultGroupKey?.propKey ?? "");
  const questionBase = { environment, type: "metric" as const, ...timeRange };
  const baseConfig = { events: "all" as const, filters: [actorFilter] };
  const { data: groupCountAnswer } = useQuery({
    ...questionQuery({ ...questionBase, config: { ...baseConfig, measure: "uniq", property: key, compare: false } }),
    enabled: defaultGroupKey !== null,
  });
  const { data: topGroupAnswer } = useQuery({
    ...questionQuery({ ...questionBase, config: { ...baseConfig, measure: "count", breakdown: key, limit: 1 } }),
    enabled: defaultGroupKey !== null,
  });
  if (!defaultGroupKey) return null;
  const busiestGroup = topGroupAnswer?.kind === "categorical" ? topGroupAnswer.rows[0] : undefined;
  const isMostlyThere = (busiestGroup?.value ?? 0) * 2 >= actor.eventCount;
  return {
    label: `Groups, by ${defaultGroupKey.label}`,
    value: groupCountAnswer?.kind === "counter" ? formatAlone(groupCountAnswer.value) : "–",
    detail: busiestGroup?.label && isMostlyThere ? `mostly ${shortKey(busiestGroup.label)}` : undefined,
  };
}
