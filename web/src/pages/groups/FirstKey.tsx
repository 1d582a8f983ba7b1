import { Card } from "../../ui/Card/Card.tsx";
import { Notices, type NoticesProps } from "../../ui/Notices/Notices.tsx";
import { State } from "../../ui/States/State.tsx";
import { ElsewhereState } from "../../scope/ElsewhereState.tsx";
import { RegisterForm } from "../../scope/RegisterForm.tsx";
import { useElsewhere } from "../../scope/useElsewhere.ts";
import type { Scope } from "../../scope/useScope.ts";
import styles from "./FirstKey.module.css";

export interface FirstKeyProps {
  scope: Scope;
  candidates: readonly string[];
  notices: NoticesProps["notices"];
  mayWrite: boolean;
  onRegistered: (propKey: string) => void;
}

/** No property is a group key yet: what groups are, and the form for the first one. */
export function FirstKey({ scope, candidates, notices, mayWrite, onRegistered }: FirstKeyProps) {
  const otherEnvironment = useElsewhere(scope.environment, mayWrite && candidates.length === 0);
  return (
    <div className={styles.place}>
      <Card title="No group key yet">
        <p className={styles.words}>
          Actors belong to groups, such as servers, teams or accounts. Register the property that names the group.
          Past and future events in all environments then count toward it.
        </p>
        {!mayWrite ? (
          <State title="You need the Developer role" detail="Ask an admin to change your role." />
        ) : otherEnvironment ? (
          <ElsewhereState kindName="event" scope={scope} elsewhere={otherEnvironment} />
        ) : candidates.length === 0 ? (
          <State
            title="No property to register"
            detail={`No event in ${scope.environment} had a text property in the last 30 days. Send one, such as "properties": {"team": "Acme"}.`}
          />
        ) : (
          <RegisterForm candidates={candidates} isFirst onRegistered={onRegistered} />
        )}
        <Notices notices={notices} />
      </Card>
    </div>
  );
}
