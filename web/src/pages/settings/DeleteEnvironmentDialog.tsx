import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Environment, deleteEnvironment, environmentsQuery } from "../../api/environments.ts";
import { forgetAnswers } from "../../api/placeholders.ts";
import { errorInLine } from "../../api/words.ts";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { toast } from "../../ui/Toast/toast.ts";

/** Delete an environment with everything in it. What still uses it keeps it, and the server says what that is. */
export function DeleteEnvironmentDialog({ environment: { name, displayName }, onClose }: { environment: Environment; onClose: () => void }) {
  const queryClient = useQueryClient();
  const label = displayName ?? name;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteEnvironment(name),
    onSuccess: async () => {
      await queryClient.refetchQueries(environmentsQuery); // first, so that nothing asks about what is gone
      await forgetAnswers(queryClient);
      toast({ text: `Deleted “${label}”` });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={`Delete ${label}`}
      detail={`This permanently deletes all events in ${label}, its labels, segments, annotations and revoked keys. Revoke its active keys and delete its dashboards first.`}
      requiredWord={name}
      confirm="Delete"
      busy={isPending}
      error={error ? errorInLine(error) : null}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
