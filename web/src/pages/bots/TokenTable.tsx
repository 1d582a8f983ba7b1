import type { StatsScope, StatsToken } from "../../api/statsTokens.ts";
import { formatAgo, dateTime } from "../../core/time.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./TokenTable.module.css";
import { briefId } from "./words.ts";

export interface TokenTableProps {
  tokens: readonly StatsToken[];
  timezone: string;
  /** Absent for people who may not revoke. */
  onRevoke: ((token: StatsToken) => void) | undefined;
}

/** What a token may do, in words. */
export const SCOPE_WORDS: Record<StatsScope, string> = { read: "reads data", write: "feeds every bot and reads data", bot: "feeds one bot and reads data" };

/** The tokens that are valid, and when something was last sent or read with each. */
export function TokenTable({ tokens, timezone, onRevoke }: TokenTableProps) {
  const now = useNow();
  const columns: Column<StatsToken>[] = [
    {
      key: "name",
      label: "Name",
      render: ({ name, prefix }) => (
        <span className={styles.token}>
          <span className={styles.name}>{name}</span>
          <code className={styles.prefix}>{prefix}…</code>
        </span>
      ),
    },
    {
      key: "scope",
      label: "Scope",
      render: ({ scope, botId }) => (
        <span className={styles.muted}>{botId === null ? SCOPE_WORDS[scope] : <span title={botId}>feeds bot {briefId(botId)} and reads data</span>}</span>
      ),
    },
    {
      key: "used",
      label: "Last used",
      align: "end",
      hideBelow: 600,
      render: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className={styles.muted}>never</span>
        ) : (
          <time className={styles.muted} dateTime={lastUsedAt} title={dateTime(lastUsedAt, timezone)}>
            {formatAgo(lastUsedAt, now)}
          </time>
        ),
    },
  ];
  if (onRevoke) {
    columns.push({
      key: "revoke",
      label: "Actions",
      hideLabel: true,
      align: "end",
      width: 88,
      render: (token) => (
        <Button small variant="quiet" aria-label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
          Revoke
        </Button>
      ),
    });
  }
  return <Table label="Statistics tokens" bare columns={columns} rows={tokens} rowKey={({ id }) => id} />;
}
