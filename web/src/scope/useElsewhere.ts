import { useQuery } from "@tanstack/react-query";
import { environmentsQuery, environmentLabel } from "../api/environments.ts";
import { firstWithEventsQuery } from "../api/events.ts";

/** Another environment, which has events. */
export interface Elsewhere {
  name: string;
  /** What people call it. */
  label: string;
}

/**
 * Return where the events are, if this environment has never had one and another has; null if that is not so, undefined
 * as long as nobody knows. Nothing is asked before `isEmpty`.
 */
export function useElsewhere(environment: string, isEmpty: boolean): Elsewhere | null | undefined {
  const { data: environments = [], isPending } = useQuery({ ...environmentsQuery, enabled: isEmpty });
  const otherNames = environments.map(({ name }) => name).filter((name) => name !== environment);
  const { data: firstName, isError } = useQuery({
    ...firstWithEventsQuery([environment, ...otherNames]),
    enabled: isEmpty && !isPending,
  });
  if (!isEmpty || isError || firstName === null || firstName === environment) return null;
  return firstName === undefined ? undefined : { name: firstName, label: environmentLabel(environments, firstName) };
}
