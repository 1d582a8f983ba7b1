import { useQuery } from "@tanstack/react-query";
import { namesQuery } from "../../api/names.ts";
import { segmentsQuery } from "../../api/segments.ts";
import type { Names } from "../../widgets/definition.ts";

/** Return the names that a rule about an environment can have. */
export function useNames(environment: string): Names {
  const { data } = useQuery(namesQuery(environment));
  const { data: segments = [] } = useQuery(segmentsQuery);
  return {
    areKnown: data !== undefined,
    events: data?.events ?? [],
    properties: data?.properties ?? [],
    segments: segments.filter((segment) => segment.environment === environment),
    groupKeys: [],
    sources: [],
  };
}
