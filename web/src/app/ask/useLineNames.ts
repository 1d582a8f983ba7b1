import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { identityQuery } from "../../api/auth.ts";
import { environmentsQuery } from "../../api/environments.ts";
import { groupKeysQuery } from "../../api/groups.ts";
import { namesQuery } from "../../api/names.ts";
import { segmentsQuery } from "../../api/segments.ts";
import type { LineNames } from "../../questions/question.ts";

/** Return the names that a line can use in an environment; undefined until they have arrived. */
export function useLineNames(environment: string): LineNames | undefined {
  const { data: identity } = useQuery(identityQuery);
  const { data: names } = useQuery(namesQuery(environment));
  const { data: segments } = useQuery(segmentsQuery);
  const { data: environments } = useQuery(environmentsQuery);
  const { data: groupKeyAnswer } = useQuery({ ...groupKeysQuery(environment), enabled: identity != null && identity.workspace.plan !== "free" });
  return useMemo(() => {
    if (!identity || !names || !segments || !environments) return undefined;
    return {
      environment,
      areKnown: true,
      events: names.events,
      properties: names.properties,
      groupKeys: groupKeyAnswer?.keys ?? [],
      segments: segments.filter((segment) => segment.environment === environment),
      sources: [],
      environments,
      timezone: identity.workspace.timezone,
    };
  }, [identity, names, segments, environments, groupKeyAnswer, environment]);
}
