import { Link, getRouteApi } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import type { GroupDetail } from "../../api/groups.ts";
import type { Question } from "../../api/widgets.ts";
import { type Condition, filterToText } from "../../scope/filters.ts";
import { actorLink } from "../../scope/keyLinks.ts";
import { propertyKey } from "../../scope/propertyKey.ts";
import { withTimeRange } from "../../scope/search.ts";
import type { Scope } from "../../scope/useScope.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { ActivityCard } from "../../widgets/ActivityCard.tsx";
import { Profile } from "../../widgets/Profile.tsx";
import { TimelineCard } from "../../widgets/TimelineCard.tsx";
import { GroupFacts } from "./GroupFacts.tsx";
import { GroupSide } from "./GroupSide.tsx";

const route = getRouteApi("/member/groups/$groupKey");

export interface GroupProfileProps {
  group: GroupDetail;
  /** What its group key is called: "Server". */
  kind: string;
  scope: Scope;
  timezone: string;
}

/** What is known of a group within a time range. */
export function GroupProfile({ group, kind, scope, timezone }: GroupProfileProps) {
  const { groupKey, propKey, recent, eventCount } = group;
  const { environment, timeRange } = scope;
  const { sel } = route.useSearch();
  const navigate = route.useNavigate();
  const only: Condition = { key: propertyKey(propKey), op: "eq", value: groupKey };
  const inEvents = { env: environment, ...withTimeRange({}, timeRange), f: [filterToText(only)] };
  const activity: Question = {
    environment,
    type: "metric",
    ...timeRange,
    config: { events: "all", measure: "count", overTime: true, filters: [only] },
  };
  const open = (id: string | undefined) =>
    void navigate({
      search: ({ sel: _sel, ...rest }) => (id === undefined ? rest : { ...rest, sel: id }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Profile
      kind={kind}
      name={groupKey}
      actions={
        <Link to="/events" search={inEvents} className={buttonClass()}>
          <Activity size={16} strokeWidth={1.6} aria-hidden="true" />
          Show in events
        </Link>
      }
      facts={<GroupFacts group={group} only={only} scope={scope} timezone={timezone} />}
      notices={group.notices}
      sideWidth={380}
      side={<GroupSide group={group} only={only} scope={scope} timezone={timezone} />}
      main={
        <>
          <ActivityCard title="Events" question={activity} shape="area" timezone={timezone} />
          <TimelineCard
            title="Activity"
            events={recent}
            hasMore={recent.length < eventCount}
            timezone={timezone}
            open={sel}
            onOpen={open}
            except={propKey}
            renderPlace={({ actorKey, actorLabel }) => (actorKey === null ? null : <ActorLink actorKey={actorKey} label={actorLabel} />)}
            tools={
              <Link to="/events" search={inEvents} className={buttonClass("quiet", true)}>
                All events
              </Link>
            }
          />
        </>
      }
    />
  );
}

function ActorLink({ actorKey, label }: { actorKey: string; label: string | null }) {
  const place = actorLink(actorKey);
  return (
    <Link to="/actors/$actorKey" params={place.params} search={place.search}>
      {label ?? actorKey}
    </Link>
  );
}
