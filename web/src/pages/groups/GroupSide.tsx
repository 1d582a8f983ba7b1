import { useQuery } from "@tanstack/react-query";
import type { GroupDetail } from "../../api/groups.ts";
import { questionQuery } from "../../api/widgets.ts";
import { timeRangeInWords } from "../../scope/days.ts";
import type { Condition } from "../../scope/filters.ts";
import type { Scope } from "../../scope/useScope.ts";
import { RankCard } from "../../widgets/RankCard.tsx";

export interface GroupSideProps {
  group: GroupDetail;
  groupFilter: Condition;
  scope: Scope;
  timezone: string;
}

/** What happens most in a group, and who is the most active. */
export function GroupSide({ group, groupFilter, scope: { environment, timeRange }, timezone }: GroupSideProps) {
  const { eventTypes, recent, eventCount } = group;
  const rangeWords = timeRangeInWords(timeRange, timezone).toLowerCase();
  const { data } = useQuery(
    questionQuery({ environment, type: "metric", ...timeRange, config: { events: "all", measure: "count", breakdown: "_actor", limit: 5, filters: [groupFilter] } }),
  );
  const labelByActorKey = new Map(recent.map(({ actorKey, actorLabel }) => [actorKey, actorLabel ?? actorKey]));
  const busiestActors =
    data?.kind === "categorical"
      ? data.rows.map(({ label, value }) => ({ label: labelByActorKey.get(label) ?? label ?? "", count: value ?? 0 }))
      : undefined;
  return (
    <>
      <RankCard
        title="Event types"
        note={rangeWords}
        rows={eventTypes.map(({ name, count }) => ({ label: name, count }))}
        total={eventCount}
        emptyText="No events in this time range."
      />
      <RankCard
        title="Most active actors"
        note={rangeWords}
        rows={busiestActors}
        total={eventCount}
        emptyText="All events in this time range are anonymous."
      />
    </>
  );
}
