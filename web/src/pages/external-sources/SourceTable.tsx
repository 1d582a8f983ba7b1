import type { ReactNode } from "react";
import type { ExternalSource } from "../../api/externalSources.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import styles from "./SourceTable.module.css";

export interface SourceTableProps {
  sources: readonly ExternalSource[];
  /** Both are absent for those who may not change anything. */
  onReplaceToken: ((source: ExternalSource) => void) | undefined;
  renderMenu: ((source: ExternalSource) => ReactNode) | undefined;
}

/** Hosts with the header that their token goes into. Of a token, four characters are shown. */
export function SourceTable({ sources, onReplaceToken, renderMenu }: SourceTableProps) {
  const columns: Column<ExternalSource>[] = [
    {
      key: "source",
      label: "Source",
      render: ({ name, host, tokenPreview }) => (
        <span className={styles.source}>
          <span className={styles.name} dir="auto">
            {name}
          </span>
          <code className={styles.code}>
            {host}
            {tokenPreview === null ? null : <span className={styles.below}> {tokenPreview}</span>}
          </code>
        </span>
      ),
    },
    { key: "header", label: "Header", hideBelow: 900, render: ({ headerName, tokenPreview }) => <CodeText text={headerOf(headerName, tokenPreview)} /> },
    { key: "token", label: "Token", hideBelow: 600, render: ({ tokenPreview }) => <CodeText text={tokenPreview} /> },
  ];
  if (onReplaceToken && renderMenu) {
    columns.push({
      key: "actions",
      label: "Actions",
      hideLabel: true,
      align: "end",
      width: 160,
      render: (source) => (
        <span className={styles.actions}>
          <Button small onClick={() => onReplaceToken(source)}>
            {source.tokenPreview === null ? "Add token" : "Replace token"}
          </Button>
          {renderMenu(source)}
        </span>
      ),
    });
  }
  return <Table label="Sources" columns={columns} rows={sources} rowKey={({ id }) => id} />;
}

/** A token without a header of its own goes into the usual one. */
function headerOf(headerName: string | null, tokenPreview: string | null): string | null {
  return headerName ?? (tokenPreview === null ? null : "Authorization");
}

function CodeText({ text }: { text: string | null }) {
  return text === null ? <span className={styles.none}>none</span> : <code className={styles.code}>{text}</code>;
}
