import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { type ExternalSource, externalSourcesQuery } from "../../api/externalSources.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { EditDialog } from "./EditDialog.tsx";
import styles from "./ListPage.module.css";
import { SourceTable } from "./SourceTable.tsx";
import { TokenDialog } from "./TokenDialog.tsx";

const route = getRouteApi("/member/sources");
const pages = getRouteApi("/member");

/** The hosts that widgets may ask, with their masked tokens. */
export function ListPage() {
  const { identity } = pages.useRouteContext();
  const { new: newParam } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: sources, error, refetch } = useQuery(externalSourcesQuery);
  const [dialog, setDialog] = useState<{ kind: "edit" | "token" | "delete"; source: ExternalSource } | null>(null);
  const mayWrite = mayAct(identity.role, "developer");
  const open = () => void navigate({ search: (now) => ({ ...now, new: "1" as const }), replace: true });
  const closeNew = () => void navigate({ search: ({ new: _new, ...rest }) => rest, replace: true });
  const close = () => setDialog(null);
  const menu = (source: ExternalSource) => (
    <Menu
      label={`${source.name} menu`}
      items={[
        { label: "Edit", icon: Pencil, onSelect: () => setDialog({ kind: "edit", source }) },
        "separator",
        { label: "Delete", icon: Trash2, danger: true, onSelect: () => setDialog({ kind: "delete", source }) },
      ]}
    />
  );
  const create = mayWrite ? (
    <Button variant="primary" icon={Plus} onClick={open} data-action="new">
      New source
    </Button>
  ) : null;
  return (
    <Page title="Sources" workspace={identity.workspace.name} tools={create}>
      <p className={styles.intro}>
        Hosts that a widget may ask for one value. A token is sent to its host only, and is cleared when the host changes.
      </p>
      {error && !sources ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !sources ? (
        <Skeleton height={240} />
      ) : sources.length === 0 ? (
        <State
          title="No sources yet"
          detail={`External widgets show a number of another service: stars, open tickets, a balance.${mayWrite ? "" : " A developer can add a host."}`}
        />
      ) : (
        <SourceTable
          sources={sources}
          onReplace={mayWrite ? (source) => setDialog({ kind: "token", source }) : undefined}
          menu={mayWrite ? menu : undefined}
        />
      )}
      {mayWrite && newParam ? <EditDialog onClose={closeNew} /> : null}
      {dialog?.kind === "edit" ? <EditDialog source={dialog.source} onClose={close} /> : null}
      {dialog?.kind === "token" ? <TokenDialog source={dialog.source} onClose={close} /> : null}
      {dialog?.kind === "delete" ? <DeleteDialog source={dialog.source} onClose={close} /> : null}
    </Page>
  );
}
