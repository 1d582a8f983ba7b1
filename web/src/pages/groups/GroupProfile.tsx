import { Link, getRouteApi } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import type { GroupDetail } from "../../api/groups.ts";
import { shortKey } from "../../core/shortKeys.ts";
import { type Condition, filterToText } from "../../scope/filters.ts";
import { actorLink } from "../../scope/keyLinks.ts";
import { propertyKey } from "../../scope/propertyKey.ts";
import { withTimeRange } from "../../scope/search.ts";
import type { Scope } from "../../scope/useScope.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { ActivityCard } from "../../widgets/ActivityCard.tsx";
import { activityQuestion } from "../../widgets/activityQuestion.ts";
import { Profile } from "../../widgets/Profile.tsx";
import { TimelineCard } from "../../widgets/TimelineCard.tsx";
import { GroupFacts } from "./GroupFacts.tsx";
import { GroupSide } from "./GroupSide.tsx";

const route = getRouteApi("/member/groups/$groupKey");

export interface GroupProfileProps {
  group: GroupDetail;
  /** What its group key is called: "Server". */
  kindLabel: string;
  scope: Scope;
  timezone: string;
}

/** What is known of a group within a time range. */
export function GroupProfile({ group, kindLabel, scope, timezone }: GroupProfileProps) {
  const { groupKey, propKey, recent, eventCount } = group;
  const { environment, timeRange } = scope;
  const { sel: selectedEventId } = route.useSearch();
  const navigate = route.useNavigate();
  const groupFilter: Condition = { key: propertyKey(propKey), op: "eq", value: groupKey };
  const eventsSearch = { env: environment, ...withTimeRange({}, timeRange), f: [filterToText(groupFilter)] };
  const selectEvent = (id: string | undefined) =>
    void navigate({
      search: ({ sel: _sel, ...rest }) => (id === undefined ? rest : { ...rest, sel: id }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Profile
      kind={kindLabel}
      name={groupKey}
      actions={
        <Link to="/events" search={eventsSearch} className={buttonClass()}>
          <Activity size={16} strokeWidth={1.6} aria-hidden="true" />
          Show in events
        </Link>
      }
      facts={<GroupFacts group={group} groupFilter={groupFilter} scope={scope} timezone={timezone} />}
      notices={group.notices}
      sideWidth={380}
      side={<GroupSide group={group} groupFilter={groupFilter} scope={scope} timezone={timezone} />}
      main={
        <>
          <ActivityCard title="Events" question={activityQuestion(scope, groupFilter)} timezone={timezone} />
          <TimelineCard
            title="Activity"
            events={recent}
            hasMore={recent.length < eventCount}
            timezone={timezone}
            openId={selectedEventId}
            onOpen={selectEvent}
            exceptKey={propKey}
            renderPlace={({ actorKey, actorLabel }) => (actorKey === null ? null : <ActorLink actorKey={actorKey} label={actorLabel} />)}
            tools={
              <Link to="/events" search={eventsSearch} className={buttonClass("quiet", true)}>
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
  const linkTarget = actorLink(actorKey);
  return (
    <Link to="/actors/$actorKey" params={linkTarget.params} search={linkTarget.search}>
      {label ?? shortKey(actorKey)}
    </Link>
  );
}
