import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { type Key, LAST_USE_REFRESH_MS, keysQuery, revokeKey } from "../../api/keys.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyCurl } from "../../ui/Code/CopyCurl.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { CreateDialog } from "./CreateDialog.tsx";
import { KeyTable } from "./KeyTable.tsx";
import styles from "./ListPage.module.css";
import { RenameDialog } from "./RenameDialog.tsx";

const route = getRouteApi("/member/keys");
const memberRoute = getRouteApi("/member");

/** The workspace's API keys: who made them, when they were used, and the way to make and revoke them. */
export function ListPage() {
  const { identity } = memberRoute.useRouteContext();
  const { env = "production", new: newParam } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery({ ...keysQuery, refetchInterval: LAST_USE_REFRESH_MS });
  const [keyToRevoke, setKeyToRevoke] = useState<Key | null>(null);
  const [keyToRename, setKeyToRename] = useState<Key | null>(null);
  const mayWrite = mayAct(identity.role, "developer");
  const keys = data?.filter(({ revokedAt }) => revokedAt === null);
  const openNew = () => void navigate({ search: (previous) => ({ ...previous, new: "1" as const }), replace: true });
  const closeNew = () => void navigate({ search: ({ new: _new, ...rest }) => rest, replace: true });
  const createButton = mayWrite ? (
    <Button variant="primary" icon={Plus} onClick={openNew} data-action="new">Create key</Button>
  ) : null;
  return (
    <Page title="API keys" workspace={identity.workspace.name} tools={createButton}>
      {error && !keys ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !keys ? (
        <Skeleton height={240} />
      ) : keys.length === 0 ? (
        <State
          title="No keys yet"
          detail={
            mayWrite
              ? "A key lets your code send events to one environment."
              : "A key lets code send events to one environment. A developer can create one."
          }
        />
      ) : (
        <>
          <KeyTable
            keys={keys}
            timezone={identity.workspace.timezone}
            changes={mayWrite ? { onRename: setKeyToRename, onRevoke: setKeyToRevoke } : undefined}
          />
          <div className={styles.foot}>
            <CopyCurl request={{ path: "/v1/keys" }} />
          </div>
        </>
      )}
      {mayWrite && newParam ? <CreateDialog initialEnvironment={env} onClose={closeNew} /> : null}
      {keyToRename ? <RenameDialog apiKey={keyToRename} onClose={() => setKeyToRename(null)} /> : null}
      {keyToRevoke ? (
        <RemovalDialog
          listKey={keysQuery.queryKey}
          id={keyToRevoke.id}
          remove={revokeKey}
          title={`Revoke key “${keyToRevoke.name}”`}
          detail={`Requests to ${keyToRevoke.environment} with this key are refused immediately. This cannot be undone.`}
          requiredWord={keyToRevoke.prefix}
          confirm="Revoke"
          message={`Revoked “${keyToRevoke.name}”`}
          onClose={() => setKeyToRevoke(null)}
        />
      ) : null}
    </Page>
  );
}
