import { type StatsToken, revokeStatsToken, statsTokensQuery } from "../../api/statsTokens.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";

/** Ask, then revoke a token: the very next request with it is refused. */
export function RevokeTokenDialog({ token: { id, name, prefix }, onClose }: { token: StatsToken; onClose: () => void }) {
  return (
    <RemovalDialog
      listKey={statsTokensQuery.queryKey}
      id={id}
      remove={revokeStatsToken}
      title={`Revoke token “${name}”`}
      detail="Whatever feeds or reads the listing with it is refused from the next request on. It cannot be taken back."
      requiredWord={prefix}
      confirm="Revoke"
      message={`Token ${name} is revoked.`}
      onClose={onClose}
    />
  );
}
