import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { LAST_USE_REFRESH_MS } from "../../api/keys.ts";
import { type Token, revokeToken, tokensQuery } from "../../api/tokens.ts";
import { errorInWords } from "../../api/words.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { useNow } from "../../ui/useNow.ts";
import { Section } from "./Section.tsx";
import { TokenDialog } from "./TokenDialog.tsx";
import { isValid } from "./tokens.ts";
import { TokenTable } from "./TokenTable.tsx";

/** One's personal access tokens; admins see those of everybody. */
export function TokensSection() {
  const { data, error, refetch } = useQuery({ ...tokensQuery, refetchInterval: LAST_USE_REFRESH_MS });
  const [isCreating, setIsCreating] = useState(false);
  const [tokenToRevoke, setTokenToRevoke] = useState<Token | null>(null);
  const now = useNow();
  const validTokens = data?.filter((token) => isValid(token, now));
  return (
    <Section
      id="tokens"
      title="Tokens"
      lead="A personal access token lets a script query and export on your behalf, with at most your permissions."
      tools={
        <Button small icon={Plus} onClick={() => setIsCreating(true)}>Add token</Button>
      }
    >
      {error && !validTokens ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !validTokens ? (
        <Skeleton height={110} />
      ) : validTokens.length === 0 ? (
        <State title="No tokens" detail="Scripts that query or export need one. To send events, use an API key." />
      ) : (
        <TokenTable tokens={validTokens} onRevoke={setTokenToRevoke} />
      )}
      {isCreating ? <TokenDialog onClose={() => setIsCreating(false)} /> : null}
      {tokenToRevoke ? (
        <RemovalDialog
          listKey={tokensQuery.queryKey}
          id={tokenToRevoke.id}
          remove={revokeToken}
          title={`Revoke token “${tokenToRevoke.name}”`}
          detail="Requests with this token are refused immediately. This cannot be undone."
          confirm="Revoke"
          message={`Revoked “${tokenToRevoke.name}”`}
          onClose={() => setTokenToRevoke(null)}
        />
      ) : null}
    </Section>
  );
}
