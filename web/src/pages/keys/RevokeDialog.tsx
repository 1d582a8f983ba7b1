import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Key, keysQuery, revokeKey } from "../../api/keys.ts";
import { errorInLine } from "../../api/words.ts";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { toast } from "../../ui/Toast/toast.ts";

/** Ask for the key's prefix, then revoke it: the very next request with it is refused. */
export function RevokeDialog({ revoked: { id, name, environment, prefix }, onClose }: { revoked: Key; onClose: () => void }) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => revokeKey(id),
    onSuccess: () => {
      queryClient.setQueryData(keysQuery.queryKey, (keys) => keys?.filter((key) => key.id !== id));
      void queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
      toast({ text: `Key ${name} is revoked.` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Revoke key “${name}”`}
      detail={`Whatever sends to ${environment} with it is refused from the next request on. It cannot be taken back.`}
      word={prefix}
      confirm="Revoke"
      busy={isPending}
      error={error ? errorInLine(error) : null}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
