import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Key } from "../../api/keys.ts";
import { membersQuery } from "../../api/members.ts";
import { formatDate } from "../../core/time.ts";
import { EnvironmentName } from "../../scope/EnvironmentName.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import styles from "./KeyTable.module.css";
import { kindName } from "./kinds.ts";
import { isInUse, lastUseInWords } from "./lastUse.ts";

export interface KeyTableProps {
  keys: readonly Key[];
  timezone: string;
  /** Absent for people who may not change keys. */
  changes: { onRename: (key: Key) => void; onRevoke: (key: Key) => void } | undefined;
}

/** The keys that are valid. Of a secret, twelve characters are shown. */
export function KeyTable({ keys, timezone, changes }: KeyTableProps) {
  const { data: members = [] } = useQuery(membersQuery);
  const memberNameOf = (id: string | null) => members.find((member) => member.id === id)?.name;
  const renameButton = (key: Key) =>
    changes ? (
      <Button small variant="quiet" aria-label={`Rename ${key.name}`} onClick={() => changes.onRename(key)}>
        Rename
      </Button>
    ) : null;
  const columns: Column<Key>[] = [
    { key: "name", label: "Name", render: (key) => <NameCell apiKey={key} timezone={timezone} renameButton={renameButton(key)} /> },
    { key: "prefix", label: "Key", hideBelow: 600, render: ({ prefix }) => <code className={styles.prefix}>{prefix}…</code> },
    { key: "kind", label: "Kind", hideBelow: 600, render: ({ kind }) => kindName(kind) },
    { key: "environment", label: "Environment", render: ({ environment }) => <EnvironmentName name={environment} /> },
    {
      key: "created",
      label: "Created",
      hideBelow: 900,
      render: ({ createdAt, createdBy }) => (
        <span className={styles.muted}>{[formatDate(createdAt, timezone), memberNameOf(createdBy)].filter(Boolean).join(", ")}</span>
      ),
    },
    {
      key: "used",
      label: "Last used",
      align: "end",
      hideBelow: 600,
      render: ({ lastUsedAt }) => (
        <span className={styles.used} data-now={isInUse(lastUsedAt) || undefined}>
          {lastUseInWords(lastUsedAt, timezone)}
        </span>
      ),
    },
  ];
  if (changes) {
    columns.push({ key: "rename", label: "Rename", hideLabel: true, align: "end", width: 84, hideBelow: 600, render: renameButton });
    columns.push({
      key: "revoke",
      label: "Actions",
      hideLabel: true,
      align: "end",
      width: 96,
      render: (key) => (
        <Button small variant="quiet" aria-label={`Revoke ${key.name}`} onClick={() => changes.onRevoke(key)}>
          Revoke
        </Button>
      ),
    });
  }
  return <Table label="API keys" columns={columns} rows={keys} rowKey={({ id }) => id} />;
}

interface NameCellProps {
  apiKey: Key;
  timezone: string;
  renameButton: ReactNode;
}

/** The name, and on a phone what has no column there. */
function NameCell({ apiKey: { name, kind, prefix, lastUsedAt }, timezone, renameButton }: NameCellProps) {
  return (
    <>
      <span className={styles.name}>{name}</span>
      <span className={styles.below}>
        <code className={styles.prefix}>{prefix}…</code> {kindName(kind)}
      </span>
      <span className={styles.below}>{lastUsedAt === null ? "never used" : `used ${lastUseInWords(lastUsedAt, timezone)}`}</span>
      {renameButton ? <span className={styles.below}>{renameButton}</span> : null}
    </>
  );
}
