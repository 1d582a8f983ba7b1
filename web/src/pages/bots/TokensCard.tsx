import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { LAST_USE_REFRESH_MS } from "../../api/keys.ts";
import { type StatsToken, revokeStatsToken, statsTokensQuery } from "../../api/statsTokens.ts";
import { errorInWords } from "../../api/words.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { CreateTokenDialog } from "./CreateTokenDialog.tsx";
import styles from "./TokensCard.module.css";
import { TokenTable } from "./TokenTable.tsx";

export interface TokensCardProps {
  timezone: string;
  mayWrite: boolean;
  /** The dialog that makes a token is open. */
  isCreating: boolean;
  onCreatingChange: (isCreating: boolean) => void;
  /** The bot that is chosen on the page; "" for none. */
  botId: string;
}

/** The tokens with which programs feed and read the listing. */
export function TokensCard({ timezone, mayWrite, isCreating, onCreatingChange, botId }: TokensCardProps) {
  const { data, error, refetch } = useQuery({ ...statsTokensQuery, refetchInterval: LAST_USE_REFRESH_MS });
  const [tokenToRevoke, setTokenToRevoke] = useState<StatsToken | null>(null);
  const tokens = data?.filter(({ revokedAt }) => revokedAt === null);
  const createButton = (
    <Button small variant="primary" icon={Plus} onClick={() => onCreatingChange(true)} data-action="new">
      Create token
    </Button>
  );
  return (
    <Card title="Statistics tokens" flush tools={mayWrite ? createButton : null}>
      {error && !tokens ? (
        <div className={styles.pad}>
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        </div>
      ) : !tokens ? (
        <Skeleton height={112} />
      ) : tokens.length === 0 ? (
        <div className={styles.pad}>
          <State
            title="No tokens yet"
            detail={mayWrite ? "A token lets a program feed or read the listing." : "A token lets a program feed or read the listing. A developer can create one."}
          />
        </div>
      ) : (
        <div className={styles.list}>
          <TokenTable tokens={tokens} timezone={timezone} onRevoke={mayWrite ? setTokenToRevoke : undefined} />
        </div>
      )}
      {isCreating ? <CreateTokenDialog initialBotId={botId} onClose={() => onCreatingChange(false)} /> : null}
      {tokenToRevoke ? (
        <RemovalDialog
          listKey={statsTokensQuery.queryKey}
          id={tokenToRevoke.id}
          remove={revokeStatsToken}
          title={`Revoke token “${tokenToRevoke.name}”`}
          detail="Requests with this token are refused immediately. This cannot be undone."
          requiredWord={tokenToRevoke.prefix}
          confirm="Revoke"
          message={`Revoked “${tokenToRevoke.name}”`}
          onClose={() => setTokenToRevoke(null)}
        />
      ) : null}
    </Card>
  );
}
