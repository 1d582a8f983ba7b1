import { Button } from "../ui/Button/Button.tsx";
import { State } from "../ui/States/State.tsx";
import type { Elsewhere } from "./useElsewhere.ts";
import type { Scope } from "./useScope.ts";

export interface ElsewhereStateProps {
  /** What would be listed here: "event". */
  kindName: string;
  scope: Scope;
  elsewhere: Elsewhere;
}

/** Nothing is here because all events are in another environment: one click leads there. */
export function ElsewhereState({ kindName, scope, elsewhere: { name, label } }: ElsewhereStateProps) {
  return (
    <State
      title={`No ${kindName}s in ${scope.environment} yet`}
      detail={`${label} has events. The API key determines an event's environment.`}
      action={<Button onClick={() => scope.setEnvironment(name)}>Show {label}</Button>}
    />
  );
}
