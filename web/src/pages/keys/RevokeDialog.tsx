import { type Key, keysQuery, revokeKey } from "../../api/keys.ts";
import { RemovalDialog } from "../../scope/RemovalDialog.tsx";

/** Ask for the key's prefix, then revoke it: the very next request with it is refused. */
export function RevokeDialog({ apiKey: { id, name, environment, prefix }, onClose }: { apiKey: Key; onClose: () => void }) {
  return (
    <RemovalDialog
      listKey={keysQuery.queryKey}
      id={id}
      remove={revokeKey}
      title={`Revoke key “${name}”`}
      detail={`Whatever sends to ${environment} with it is refused from the next request on. It cannot be taken back.`}
      requiredWord={prefix}
      confirm="Revoke"
      message={`Key ${name} is revoked.`}
      onClose={onClose}
    />
  );
}
