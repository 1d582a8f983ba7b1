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
/** A longer text names none of them. */
const MAX_LETTERS = 100;
/** How many of each are shown at most. */
const MAX_MATCHES = 5;
const TIME_RANGE = { timeRange: "90d" } as const;

/** Return the actors, groups and bots that match what was typed; none before it is long enough. */
export function useLookups(query: string): Command[] {
  const searchText = query.trim();
  const isName = searchText.length >= MIN_LETTERS && searchText.length <= MAX_LETTERS;
  const actors = useActorCommands(searchText, isName);
  const groups = useGroupCommands(searchText, isName);
  const bots = useBotCommands(searchText, isName);
  return useMemo(() => (isName ? [...actors, ...groups, ...bots] : []), [isName, actors, groups, bots]);
}

const eventCountInWords = (eventCount: number) => `${formatAlone(eventCount)} ${eventCount === 1 ? "event" : "events"} in 90 days`;

function useActorCommands(searchText: string, isEnabled: boolean): Command[] {
  const navigate = useNavigate();
  const { environment } = useScope();
  const { data: actorPages } = useInfiniteQuery({ ...actorsQuery(environment, TIME_RANGE, { q: searchText }), enabled: isEnabled });
  return useMemo(
    () =>
      (actorPages?.pages[0]?.actors ?? []).slice(0, MAX_MATCHES).map(({ actorKey, label, eventCount }): Command => {
        const run = () => void navigate({ to: "/actors/$actorKey", ...actorLink(actorKey) });
        return { id: `actor ${actorKey}`, group: "Actors", label: label ?? actorKey, detail: eventCountInWords(eventCount), icon: User, run };
      }),
    [actorPages, navigate],
  );
}

/** Groups of the default key, where the plan has groups. */
function useGroupCommands(searchText: string, isEnabled: boolean): Command[] {
  const navigate = useNavigate();
  const { environment } = useScope();
  const { data: identity } = useQuery(identityQuery);
  const mayAsk = isEnabled && identity != null && identity.workspace.plan !== "free";
  const { data: groupPages } = useInfiniteQuery({ ...groupsQuery(environment, TIME_RANGE, undefined, { q: searchText }), enabled: mayAsk });
  return useMemo(
    () =>
      (groupPages?.pages[0]?.groups ?? []).slice(0, MAX_MATCHES).map(({ groupKey, eventCount }): Command => {
        const run = () => void navigate({ to: "/groups/$groupKey", ...groupLink(groupKey) });
        return { id: `group ${groupKey}`, group: "Groups", label: groupKey, detail: eventCountInWords(eventCount), icon: Boxes, run };
      }),
    [groupPages, navigate],
  );
}

function useBotCommands(searchText: string, isEnabled: boolean): Command[] {
  const navigate = useNavigate();
  const { data: searchResult } = useQuery({ ...botSearchQuery(searchText), enabled: isEnabled });
  return useMemo(
    () =>
      (searchResult?.bots ?? []).slice(0, MAX_MATCHES).map(({ id, name }): Command => {
        const run = () => void navigate({ to: "/bots/$botId", params: { botId: id } });
        return { id: `bot ${id}`, group: "Bots", label: name || id, icon: Bot, run };
      }),
    [searchResult, navigate],
  );
}
