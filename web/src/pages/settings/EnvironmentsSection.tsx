import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { type Environment, environmentsQuery } from "../../api/environments.ts";
import { keysQuery } from "../../api/keys.ts";
import { errorInWords } from "../../api/words.ts";
import { countInWords } from "../../core/numbers.ts";
import { mayAct } from "../../core/roles.ts";
import { formatDate } from "../../core/time.ts";
import { EnvironmentName } from "../../scope/EnvironmentName.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyCurl } from "../../ui/Code/CopyCurl.tsx";
import { Menu, type MenuItem } from "../../ui/Menu/Menu.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import styles from "./Cells.module.css";
import { DeleteEnvironmentDialog } from "./DeleteEnvironmentDialog.tsx";
import { EnvironmentDialog } from "./EnvironmentDialog.tsx";
import { NewEnvironmentDialog } from "./NewEnvironmentDialog.tsx";
import { Section } from "./Section.tsx";
import { useIdentity } from "./useIdentity.ts";

/** The two that every workspace has for good. */
const PERMANENT_NAMES = new Set(["production", "development"]);

type OpenDialog = { kind: "new" } | { kind: "change" | "delete"; environment: Environment } | null;

/** The environments: what they are called, how long they keep events, and which keys write to them. */
export function EnvironmentsSection() {
  const { role, workspace } = useIdentity();
  const { data, error, refetch } = useQuery(environmentsQuery);
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const mayWrite = mayAct(role, "admin");
  const close = () => setOpenDialog(null);
  return (
    <Section
      id="environments"
      title="Environments"
      tools={
        <>
          <CopyCurl request={{ path: "/v1/environments" }} />
          {mayWrite ? (
            <Button small icon={Plus} onClick={() => setOpenDialog({ kind: "new" })}>
              New environment
            </Button>
          ) : null}
        </>
      }
    >
      {error && !data ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <EnvironmentTable environments={data} timezone={workspace.timezone} onOpenDialog={mayWrite ? setOpenDialog : undefined} />
      ) : (
        <Skeleton height={110} />
      )}
      {openDialog?.kind === "new" ? <NewEnvironmentDialog onClose={close} /> : null}
      {openDialog?.kind === "change" ? (
        <EnvironmentDialog environment={openDialog.environment} timezone={workspace.timezone} onClose={close} />
      ) : null}
      {openDialog?.kind === "delete" ? <DeleteEnvironmentDialog environment={openDialog.environment} onClose={close} /> : null}
    </Section>
  );
}

interface EnvironmentTableProps {
  environments: readonly Environment[];
  timezone: string;
  onOpenDialog: ((openDialog: OpenDialog) => void) | undefined;
}

function EnvironmentTable({ environments, timezone, onOpenDialog }: EnvironmentTableProps) {
  const { data: keys } = useQuery(keysQuery);
  const keyCountOf = (name: string) => keys?.filter((key) => key.environment === name && key.revokedAt === null).length;
  const columns: Column<Environment>[] = [
    {
      key: "name",
      label: "Name",
      render: ({ name, displayName }) => (
        <div className={styles.name}>
          <EnvironmentName name={name} />
          {displayName ? <code className={`${styles.below} ${styles.indented}`}>{name}</code> : null}
        </div>
      ),
    },
    { key: "keys", label: "Keys", hideBelow: 600, render: ({ name }) => keyCountOf(name) ?? "" },
    {
      key: "kept",
      label: "Keeps events",
      render: ({ retentionDays }) => (retentionDays === null ? "forever" : countInWords(retentionDays, "day")),
    },
    {
      key: "since",
      label: "Since",
      align: "end",
      hideBelow: 600,
      render: ({ createdAt }) => <span className={styles.muted}>{formatDate(createdAt, timezone)}</span>,
    },
  ];
  if (onOpenDialog) {
    columns.push({
      key: "menu",
      label: "Actions",
      hideLabel: true,
      align: "end",
      width: 56,
      render: (environment) => <Menu label={`${environment.name} menu`} items={menuItemsOf(environment, onOpenDialog)} />,
    });
  }
  return <Table label="Environments" columns={columns} rows={environments} rowKey={({ name }) => name} />;
}

function menuItemsOf(environment: Environment, onOpenDialog: (openDialog: OpenDialog) => void): (MenuItem | "separator")[] {
  const editItem: MenuItem = { label: "Edit", icon: Pencil, onSelect: () => onOpenDialog({ kind: "change", environment }) };
  const deleteItem: MenuItem = {
    label: "Delete",
    icon: Trash2,
    danger: true,
    onSelect: () => onOpenDialog({ kind: "delete", environment }),
  };
  return PERMANENT_NAMES.has(environment.name) ? [editItem] : [editItem, "separator", deleteItem];
}
