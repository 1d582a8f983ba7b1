import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Boxes, Bot, User } from "lucide-react";
import { useMemo } from "react";
import { actorsQuery } from "../api/actors.ts";
import { identityQuery } from "../api/auth.ts";
import { botSearchQuery } from "../api/bots.ts";
import { groupsQuery } from "../api/groups.ts";
import { written } from "../core/numbers.ts";
import { actorPlace, groupPlace } from "../scope/places.ts";
import { useScope } from "../scope/useScope.ts";
import type { Command } from "./commands.ts";

/** From how many letters on actors, groups and bots are looked up. */
const ENOUGH = 2;
/** How many of each are shown at most. */
const MOST = 5;
const SPAN = { timeRange: "90d" } as const;

/** Return the actors, groups and bots that match what was typed; none before it is long enough. */
export function useLookups(query: string): Command[] {
  const text = query.trim();
  const enabled = text.length >= ENOUGH;
  const actors = useActors(text, enabled);
  const groups = useGroups(text, enabled);
  const bots = useBots(text, enabled);
  return useMemo(() => (enabled ? [...actors, ...groups, ...bots] : []), [enabled, actors, groups, bots]);
}

const countInWords = (events: number) => `${written(events)} ${events === 1 ? "event" : "events"} in 90 days`;

function useActors(text: string, enabled: boolean): Command[] {
  const navigate = useNavigate();
  const { environment } = useScope();
  const { data } = useInfiniteQuery({ ...actorsQuery(environment, SPAN, text), enabled });
  return useMemo(
    () =>
      (data?.pages[0]?.actors ?? []).slice(0, MOST).map(({ actorKey, label, eventCount }): Command => {
        const run = () => void navigate({ to: "/actors/$actorKey", ...actorPlace(actorKey) });
        return { id: `actor ${actorKey}`, group: "Actors", label: label ?? actorKey, detail: countInWords(eventCount), icon: User, run };
      }),
    [data, navigate],
  );
}

/** Groups of the default key, where the plan has groups. */
function useGroups(text: string, enabled: boolean): Command[] {
  const navigate = useNavigate();
  const { environment } = useScope();
  const { data: identity } = useQuery(identityQuery);
  const hasGroups = enabled && identity != null && identity.workspace.plan !== "free";
  const { data } = useInfiniteQuery({ ...groupsQuery(environment, SPAN, undefined, text), enabled: hasGroups });
  return useMemo(
    () =>
      (data?.pages[0]?.groups ?? []).slice(0, MOST).map(({ groupKey, eventCount }): Command => {
        const run = () => void navigate({ to: "/groups/$groupKey", ...groupPlace(groupKey) });
        return { id: `group ${groupKey}`, group: "Groups", label: groupKey, detail: countInWords(eventCount), icon: Boxes, run };
      }),
    [data, navigate],
  );
}

function useBots(text: string, enabled: boolean): Command[] {
  const navigate = useNavigate();
  const { data } = useQuery({ ...botSearchQuery(text), enabled });
  return useMemo(
    () =>
      (data?.bots ?? []).slice(0, MOST).map(({ id, name }): Command => {
        const run = () => void navigate({ to: "/bots/$botId", params: { botId: id } });
        return { id: `bot ${id}`, group: "Bots", label: name || id, icon: Bot, run };
      }),
    [data, navigate],
  );
}
