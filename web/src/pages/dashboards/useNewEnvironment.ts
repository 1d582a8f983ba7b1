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

const NONE: Environment[] = [];

/** Choose for a new dashboard: the preferred environment, unless only another one has events. */
export function useNewEnvironment(preference: string, enabled: boolean): NewEnvironment {
  const [choice, choose] = useState<string>();
  const { data: environments = NONE, isPending } = useQuery({ ...environmentsQuery, enabled });
  const otherNames = environments.map(({ name }) => name).filter((name) => name !== preference);
  const first = useQuery({ ...firstWithEventsQuery([preference, ...otherNames]), enabled: enabled && !isPending });
  const name = choice ?? first.data ?? preference;
  return { name, choices: environmentChoices(environments, name), choose, isPending: choice === undefined && first.isPending };
}
