import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { LAST_USE_REFRESH_MS } from "../../api/keys.ts";
import { type Token, tokensQuery } from "../../api/tokens.ts";
import { errorInWords } from "../../api/words.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { useNow } from "../../ui/useNow.ts";
import { RevokeTokenDialog } from "./RevokeTokenDialog.tsx";
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
      lead="A personal access token lets a script ask and export in your name, and never more than you may yourself."
      tools={
        <Button small icon={Plus} onClick={() => setIsCreating(true)}>
          Add token
        </Button>
      }
    >
      {error && !validTokens ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !validTokens ? (
        <Skeleton height={110} />
      ) : validTokens.length === 0 ? (
        <State title="No tokens" detail="A script that asks or exports needs one. Code that sends events needs an API key instead." />
      ) : (
        <TokenTable tokens={validTokens} onRevoke={setTokenToRevoke} />
      )}
      {isCreating ? <TokenDialog onClose={() => setIsCreating(false)} /> : null}
      {tokenToRevoke ? <RevokeTokenDialog token={tokenToRevoke} onClose={() => setTokenToRevoke(null)} /> : null}
    </Section>
  );
}
