import type { Token } from "../../api/tokens.ts";
import { formatAgo, formatDate } from "../../core/time.ts";
import { useMemberNames } from "../../scope/useMemberNames.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import styles from "./Cells.module.css";
import { useIdentity } from "./useIdentity.ts";

export interface TokenTableProps {
  tokens: readonly Token[];
  onRevoke: (token: Token) => void;
}

/** Tokens that are valid: what each may do, for how long, and when it was used. */
export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const { user, workspace } = useIdentity();
  const memberNameOf = useMemberNames();
  const makerOf = ({ createdBy }: Token) => (createdBy === user.id ? "" : ` · ${memberNameOf(createdBy) ?? "a former member"}`);
  const columns: Column<Token>[] = [
    {
      key: "name",
      label: "Name",
      render: (token) => (
        <div className={styles.name}>
          {token.name}
          <span className={styles.below}>
            <code className={`${styles.code} ${styles.whole}`}>{token.prefix}…</code>
            {makerOf(token)}
          </span>
        </div>
      ),
    },
    {
      key: "scopes",
      label: "Scopes",
      render: ({ scopes, environment }) => (
        <>
          {scopes.join(", ")}
          {environment === null ? null : <span className={styles.below}>in {environment} only</span>}
        </>
      ),
    },
    {
      key: "expires",
      label: "Expires",
      hideBelow: 900,
      render: ({ expiresAt }) => <span className={styles.muted}>{expiresAt === null ? "never" : formatDate(expiresAt, workspace.timezone)}</span>,
    },
    {
      key: "used",
      label: "Last used",
      align: "end",
      hideBelow: 600,
      render: ({ lastUsedAt }) => <span className={styles.muted}>{lastUsedAt === null ? "never" : formatAgo(lastUsedAt)}</span>,
    },
    {
      key: "revoke",
      label: "Actions",
      hideLabel: true,
      align: "end",
      width: 88,
      render: (token) => (
        <Button small variant="quiet" aria-label={`Revoke token ${token.name}`} onClick={() => onRevoke(token)}>
          Revoke
        </Button>
      ),
    },
  ];
  return <Table label="Personal access tokens" columns={columns} rows={tokens} rowKey={({ id }) => id} />;
}
