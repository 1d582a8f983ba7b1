import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { type ExternalSource, deleteExternalSource, externalSourcesQuery } from "../../api/externalSources.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { EditDialog } from "./EditDialog.tsx";
import styles from "./ListPage.module.css";
import { SourceTable } from "./SourceTable.tsx";
import { TokenDialog } from "./TokenDialog.tsx";

const route = getRouteApi("/member/sources");
const memberRoute = getRouteApi("/member");

/** The hosts that widgets may ask, with their masked tokens. */
export function ListPage() {
  const { identity } = memberRoute.useRouteContext();
  const { new: newParam } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: sources, error, refetch } = useQuery(externalSourcesQuery);
  const [openDialog, setOpenDialog] = useState<{ kind: "edit" | "token" | "delete"; source: ExternalSource } | null>(null);
  const mayWrite = mayAct(identity.role, "developer");
  const openNew = () => void navigate({ search: (previous) => ({ ...previous, new: "1" as const }), replace: true });
  const closeNew = () => void navigate({ search: ({ new: _new, ...rest }) => rest, replace: true });
  const close = () => setOpenDialog(null);
  const renderMenu = (source: ExternalSource) => (
    <Menu
      label={`${source.name} menu`}
      items={[
        { label: "Edit", icon: Pencil, onSelect: () => setOpenDialog({ kind: "edit", source }) },
        "separator",
        { label: "Delete", icon: Trash2, danger: true, onSelect: () => setOpenDialog({ kind: "delete", source }) },
      ]}
    />
  );
  const createButton = mayWrite ? (
    <Button variant="primary" icon={Plus} onClick={openNew} data-action="new">New source</Button>
  ) : null;
  return (
    <Page title="Sources" workspace={identity.workspace.name} tools={createButton}>
      <p className={styles.intro}>
        Each widget can fetch one value from these hosts. A token is only sent to its host, and is cleared when the host changes.
      </p>
      {error && !sources ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !sources ? (
        <Skeleton height={240} />
      ) : sources.length === 0 ? (
        <State
          title="No sources yet"
          detail={`External widgets show a number from another service, such as stars or open tickets.${mayWrite ? "" : " A developer can add a host."}`}
        />
      ) : (
        <SourceTable
          sources={sources}
          onReplaceToken={mayWrite ? (source) => setOpenDialog({ kind: "token", source }) : undefined}
          renderMenu={mayWrite ? renderMenu : undefined}
        />
      )}
      {mayWrite && newParam ? <EditDialog onClose={closeNew} /> : null}
      {openDialog?.kind === "edit" ? <EditDialog source={openDialog.source} onClose={close} /> : null}
      {openDialog?.kind === "token" ? <TokenDialog source={openDialog.source} onClose={close} /> : null}
      {openDialog?.kind === "delete" ? (
        <RemovalDialog
          listKey={externalSourcesQuery.queryKey}
          id={openDialog.source.id}
          remove={deleteExternalSource}
          title={`Delete “${openDialog.source.name}”`}
          detail="Its token is deleted, too. You can only delete a source that no widget uses."
          confirm="Delete"
          message={`Deleted “${openDialog.source.name}”`}
          onClose={close}
        />
      ) : null}
    </Page>
  );
}
