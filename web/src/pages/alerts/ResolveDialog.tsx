import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Alert, alertQuery, alertsQuery, resolveAlert } from "../../api/alerts.ts";
import { ApiError } from "../../api/errors.ts";
import { errorInLine } from "../../api/words.ts";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { toast } from "../../ui/Toast/toast.ts";

/** End the open incident of an alert, after a question. */
export function ResolveDialog({ alert: { id, name }, onClose }: { alert: Pick<Alert, "id" | "name">; onClose: () => void }) {
  const queryClient = useQueryClient();
  const refresh = (...queryKeys: (readonly unknown[])[]) => Promise.all(queryKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => resolveAlert(id),
    onSuccess: async (alert) => {
      queryClient.setQueryData(alertQuery(id).queryKey, alert);
      queryClient.setQueryData(alertsQuery.queryKey, (alerts) => alerts?.map((entry) => (entry.id === id ? alert : entry)));
      toast({ text: `Resolved “${name}”` });
      onClose();
      await refresh(["/v1/alerts/activity"]);
    },
    onError: (failure) => {
      if (!(failure instanceof ApiError && failure.status === 409)) return;
      // It has ended meanwhile: the page shows so, and there is nothing to ask any more.
      toast({ text: failure.message });
      onClose();
      void refresh(alertsQuery.queryKey, alertQuery(id).queryKey, ["/v1/alerts/activity"]);
    },
  });
  return (
    <ConfirmDialog
      title={`Resolve “${name}”`}
      detail="Its channels are notified. If the condition still holds at the next evaluation, the alert fires again."
      confirm="Resolve"
      busy={isPending}
      error={error ? errorInLine(error) : null}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
