import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { identityQuery } from "../../api/auth.ts";
import { ApiError } from "../../api/errors.ts";
import { groupKeysQuery } from "../../api/groups.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { TimeRangePicker } from "../../scope/TimeRangePicker.tsx";
import { type Scope, useScope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { FirstKey } from "./FirstKey.tsx";
import { GroupList } from "./GroupList.tsx";
import { KeyTabs } from "./KeyTabs.tsx";
import styles from "./ListPage.module.css";
import { PlanPage } from "./PlanPage.tsx";
import { RegisterForm } from "../../scope/RegisterForm.tsx";

const route = getRouteApi("/member/groups");

/** Groups by a registered property, the busiest first; and the properties themselves. */
export function ListPage() {
  const scope = useScope();
  const navigate = route.useNavigate();
  const { data: identity } = useQuery(identityQuery);
  const { data: groupKeys, error, refetch } = useQuery(groupKeysQuery(scope.environment));
  const [isAdding, setIsAdding] = useState(false);
  const mayWrite = identity ? mayAct(identity.role, "developer") : false;
  const timezone = identity?.workspace.timezone ?? "UTC";
  const hasKeys = groupKeys !== undefined && groupKeys.keys.length > 0;
  // Most workspaces that come here have keys: the tools do not wait for them.
  const mayHaveKeys = groupKeys === undefined ? !error : hasKeys;
  const chooseKey = (propKey: string) => void navigate({ search: ({ q: _q, ...rest }) => ({ ...rest, propKey }) });
  return (
    <Page
      title="Groups"
      tools={
        <>
          {groupKeys || !error ? <EnvironmentPicker environment={scope.environment} onChange={scope.setEnvironment} /> : null}
          {mayHaveKeys ? <TimeRangePicker timeRange={scope.timeRange} onChange={scope.setTimeRange} timezone={timezone} /> : null}
          {mayHaveKeys && mayWrite ? (
            <Button icon={Plus} disabled={!hasKeys} onClick={() => setIsAdding(true)}>
              <span className={styles.word}>Register key</span>
            </Button>
          ) : null}
        </>
      }
    >
      {error instanceof ApiError && error.status === 402 ? (
        <PlanPage workspaceName={identity?.workspace.name ?? ""} />
      ) : error && !groupKeys ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !groupKeys ? (
        <Skeleton height={320} />
      ) : hasKeys ? (
        <RegisteredKeys scope={scope} mayWrite={mayWrite} timezone={timezone} />
      ) : (
        <FirstKey scope={scope} candidates={groupKeys.candidates} notices={groupKeys.notices} mayWrite={mayWrite} onRegistered={chooseKey} />
      )}
      {isAdding && groupKeys ? (
        <Dialog title="Register a group key" onClose={() => setIsAdding(false)}>
          <RegisterForm
            candidates={groupKeys.candidates}
            isFirst={false}
            onRegistered={(propKey) => {
              setIsAdding(false);
              chooseKey(propKey);
            }}
          />
        </Dialog>
      ) : null}
    </Page>
  );
}

function RegisteredKeys({ scope, mayWrite, timezone }: { scope: Scope; mayWrite: boolean; timezone: string }) {
  const { q = "", propKey } = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useQuery(groupKeysQuery(scope.environment));
  const keys = data?.keys ?? [];
  const groupKind = keys.find((key) => key.propKey === propKey) ?? keys.find(({ isDefault }) => isDefault);
  if (!groupKind) return null;
  return (
    <KeyTabs
      keys={keys}
      groupKind={groupKind}
      mayWrite={mayWrite}
      onChoose={(nextPropKey) => void navigate({ search: ({ q: _q, ...rest }) => ({ ...rest, propKey: nextPropKey }) })}
      onRemoved={() => void navigate({ search: ({ propKey: _propKey, q: _q, ...rest }) => rest, replace: true })}
    >
      <GroupList scope={scope} groupKind={groupKind} q={q} timezone={timezone} />
    </KeyTabs>
  );
}
