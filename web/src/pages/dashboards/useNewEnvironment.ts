import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Environment, environmentChoices, environmentsQuery } from "../../api/environments.ts";
import { firstWithEventsQuery } from "../../api/events.ts";
import type { Choice } from "../../ui/Field/SelectField.tsx";

/** Which environment a new dashboard counts. */
export interface NewEnvironment {
  name: string;
  choices: Choice[];
  choose: (name: string) => void;
  /** Nobody knows yet where the events are. */
  isPending: boolean;
}

const NO_ENVIRONMENTS: Environment[] = [];

/** Choose for a new dashboard: the preferred environment, unless only another one has events. */
export function useNewEnvironment(preferredName: string, enabled: boolean): NewEnvironment {
  const [chosenName, choose] = useState<string>();
  const { data: environments = NO_ENVIRONMENTS, isPending } = useQuery({ ...environmentsQuery, enabled });
  const otherNames = environments.map(({ name }) => name).filter((name) => name !== preferredName);
  const firstWithEvents = useQuery({ ...firstWithEventsQuery([preferredName, ...otherNames]), enabled: enabled && !isPending });
  const name = chosenName ?? firstWithEvents.data ?? preferredName;
  return {
    name,
    choices: environmentChoices(environments, name),
    choose,
    isPending: chosenName === undefined && firstWithEvents.isPending,
  };
}
