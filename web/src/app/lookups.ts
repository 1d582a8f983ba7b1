import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Boxes, Bot, User } from "lucide-react";
import { useMemo } from "react";
import { actorsQuery } from "../api/actors.ts";
import { identityQuery } from "../api/auth.ts";
import { botSearchQuery } from "../api/bots.ts";
import { groupsQuery } from "../api/groups.ts";
import { formatAlone } from "../core/numbers.ts";
import { actorLink, groupLink } from "../scope/keyLinks.ts";
import { useScope } from "../scope/useScope.ts";
import type { Command } from "./commands.ts";

/** From how many letters on actors, groups and bots are looked up. */
const MIN_LETTERS = 2;
/** How many of each are shown at most. */
const MAX_MATCHES = 5;
const TIME_RANGE = { timeRange: "90d" } as const;

/** Return the actors, groups and bots that match what was typed; none before it is long enough. */
export function useLookups(query: string): Command[] {
  const text = query.trim();
  const enabled = text.length >= MIN_LETTERS;
  const actors = useActors(text, enabled);
  const groups = useGroups(text, enabled);
  const bots = useBots(text, enabled);
  return useMemo(() => (enabled ? [...actors, ...groups, ...bots] : []), [enabled, actors, groups, bots]);
}

const eventCountInWords = (events: number) => `${formatAlone(events)} ${events === 1 ? "event" : "events"} in 90 days`;

function useActors(text: string, enabled: boolean): Command[] {
  const navigate = useNavigate();
  const { environment } = useScope();
  const { data } = useInfiniteQuery({ ...actorsQuery(environment, TIME_RANGE, text), enabled });
  return useMemo(
    () =>
      (data?.pages[0]?.actors ?? []).slice(0, MAX_MATCHES).map(({ actorKey, label, eventCount }): Command => {
        const run = () => void navigate({ to: "/actors/$actorKey", ...actorLink(actorKey) });
        return { id: `actor ${actorKey}`, group: "Actors", label: label ?? actorKey, detail: eventCountInWords(eventCount), icon: User, run };
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
  const { data } = useInfiniteQuery({ ...groupsQuery(environment, TIME_RANGE, undefined, text), enabled: hasGroups });
  return useMemo(
    () =>
      (data?.pages[0]?.groups ?? []).slice(0, MAX_MATCHES).map(({ groupKey, eventCount }): Command => {
        const run = () => void navigate({ to: "/groups/$groupKey", ...groupLink(groupKey) });
        return { id: `group ${groupKey}`, group: "Groups", label: groupKey, detail: eventCountInWords(eventCount), icon: Boxes, run };
      }),
    [data, navigate],
  );
}

function useBots(text: string, enabled: boolean): Command[] {
  const navigate = useNavigate();
  const { data } = useQuery({ ...botSearchQuery(text), enabled });
  return useMemo(
    () =>
      (data?.bots ?? []).slice(0, MAX_MATCHES).map(({ id, name }): Command => {
        const run = () => void navigate({ to: "/bots/$botId", params: { botId: id } });
        return { id: `bot ${id}`, group: "Bots", label: name || id, icon: Bot, run };
      }),
    [data, navigate],
  );
}
