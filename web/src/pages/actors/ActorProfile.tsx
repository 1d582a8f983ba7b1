import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import type { ActorDetail } from "../../api/actors.ts";
import { groupKeysQuery } from "../../api/groups.ts";
import { shortKey } from "../../core/shortKeys.ts";
import { type Condition, filterToText } from "../../scope/filters.ts";
import { groupLink } from "../../scope/keyLinks.ts";
import { withTimeRange } from "../../scope/search.ts";
import type { Scope } from "../../scope/useScope.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { CopyButton } from "../../ui/Code/CopyButton.tsx";
import { ActivityCard } from "../../widgets/ActivityCard.tsx";
import { activityQuestion } from "../../widgets/activityQuestion.ts";
import { Profile } from "../../widgets/Profile.tsx";
import { TimelineCard } from "../../widgets/TimelineCard.tsx";
import { ActorFacts } from "./ActorFacts.tsx";
import styles from "./ActorProfile.module.css";
import { ActorSide } from "./ActorSide.tsx";

const route = getRouteApi("/member/actors/$actorKey");

/** What is known of an actor within a time range. */
export function ActorProfile({ actor, scope, timezone }: { actor: ActorDetail; scope: Scope; timezone: string }) {
  const { actorKey, label, timeline, eventCount } = actor;
  const { environment, timeRange } = scope;
  const { sel: selectedEventId } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: groupKeys } = useQuery(groupKeysQuery(environment));
  const defaultGroupKey = groupKeys?.keys.find(({ isDefault }) => isDefault) ?? null;
  const actorFilter: Condition = { key: "_actor", op: "eq", value: actorKey };
  const eventsSearch = { env: environment, ...withTimeRange({}, timeRange), f: [filterToText(actorFilter)] };
  const selectEvent = (id: string | undefined) =>
    void navigate({
      search: ({ sel: _sel, ...rest }) => (id === undefined ? rest : { ...rest, sel: id }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Profile
      name={label ?? actorKey}
      keyLine={
        <div className={styles.key}>
          <span>{label === null ? "no label sent" : actorKey}</span>
          <CopyButton text={actorKey} label="Copy key" variant="quiet" small />
        </div>
      }
      actions={
        <Link to="/events" search={eventsSearch} className={buttonClass()}>
          <Activity size={16} strokeWidth={1.6} aria-hidden="true" />
          Show in events
        </Link>
      }
      facts={<ActorFacts actor={actor} actorFilter={actorFilter} scope={scope} defaultGroupKey={defaultGroupKey} timezone={timezone} />}
      notices={actor.notices}
      sideWidth={300}
      side={<ActorSide actor={actor} actorFilter={actorFilter} scope={scope} />}
      main={
        <>
          <ActivityCard title="Activity" question={activityQuestion(scope, actorFilter)} timezone={timezone} />
          <TimelineCard
            title="Timeline"
            events={timeline}
            hasMore={timeline.length < eventCount}
            timezone={timezone}
            openId={selectedEventId}
            onOpen={selectEvent}
            exceptKey={defaultGroupKey?.propKey}
            renderPlace={({ properties }) => <GroupLink properties={properties} propKey={defaultGroupKey?.propKey} />}
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

function GroupLink({ properties, propKey }: { properties: unknown; propKey: string | undefined }) {
  const key = propKey === undefined ? null : textProperty(properties, propKey);
  if (key === null) return null;
  const linkTarget = groupLink(key, propKey);
  return (
    <Link to="/groups/$groupKey" params={linkTarget.params} search={linkTarget.search} title={key}>
      {shortKey(key)}
    </Link>
  );
}

function textProperty(properties: unknown, key: string): string | null {
  if (typeof properties !== "object" || properties === null || !Object.hasOwn(properties, key)) return null;
  const value: unknown = (properties as Record<string, unknown>)[key];
  return typeof value === "string" && value !== "" ? value : null;
}
