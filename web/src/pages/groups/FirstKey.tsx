import { Card } from "../../ui/Card/Card.tsx";
import { State } from "../../ui/States/State.tsx";
import { ElsewhereState } from "../../scope/ElsewhereState.tsx";
import { RegisterForm } from "../../scope/RegisterForm.tsx";
import { useElsewhere } from "../../scope/useElsewhere.ts";
import type { Scope } from "../../scope/useScope.ts";
import styles from "./FirstKey.module.css";

export interface FirstKeyProps {
  scope: Scope;
  candidates: readonly string[];
  mayWrite: boolean;
  onRegistered: (propKey: string) => void;
}

/** No property is a group key yet: what groups are, and the form for the first one. */
export function FirstKey({ scope, candidates, mayWrite, onRegistered }: FirstKeyProps) {
  const otherEnvironment = useElsewhere(scope.environment, mayWrite && candidates.length === 0);
  return (
    <div className={styles.place}>
      <Card title="No group key yet">
        <p className={styles.words}>
          A group is what an actor belongs to: a server, a team, an account. Register the property that names it, and every
          event ever sent counts for its group, in all environments.
        </p>
        {!mayWrite ? (
          <State title="A developer can register one" detail="Viewers can look, not change. An admin can make you a developer." />
        ) : otherEnvironment ? (
          <ElsewhereState kindName="event" scope={scope} elsewhere={otherEnvironment} />
        ) : candidates.length === 0 ? (
          <State
            title="No property to register"
            detail={`Within 30 days, no event in ${scope.environment} had a property with a text. Send one with "properties": {"team": "Acme"}, and it is listed here.`}
          />
        ) : (
          <RegisterForm candidates={candidates} isFirst onRegistered={onRegistered} />
        )}
      </Card>
    </div>
  );
}
