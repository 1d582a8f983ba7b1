import { type Token, revokeToken, tokensQuery } from "../../api/tokens.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";

/** Revoke a token: the very next request with it is refused. */
export function RevokeTokenDialog({ token: { id, name }, onClose }: { token: Token; onClose: () => void }) {
  return (
    <RemovalDialog
      listKey={tokensQuery.queryKey}
      id={id}
      remove={revokeToken}
      title={`Revoke token “${name}”`}
      detail="Whatever uses it is refused from the next request on. It cannot be taken back."
      confirm="Revoke"
      message={`Token ${name} is revoked.`}
      onClose={onClose}
    />
  );
}
