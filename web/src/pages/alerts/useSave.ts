import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type Alert, type AlertFields, alertQuery, alertsQuery } from "../../api/alerts.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { toast } from "../../ui/Toast/toast.ts";

/** Save an alert and go back to the list; what is refused stays to be read. */
export function useSave(sendFields: (fields: AlertFields) => Promise<Alert>) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const goToList = () => void navigate({ to: "/alerts" });
  const { mutate, isPending, error } = useMutation({
    mutationFn: sendFields,
    onSuccess: async (alert) => {
      queryClient.setQueryData(alertQuery(alert.id).queryKey, alert);
      await queryClient.invalidateQueries({ queryKey: alertsQuery.queryKey });
      toast({ text: `Saved “${alert.name}”` });
      goToList();
    },
    onError: sayFailure,
  });
  /** Save, unless the rule lacks something, which is said instead. */
  const save = (fields: AlertFields, incompleteReason: string) => {
    if (incompleteReason === "") mutate(fields);
    else toast({ text: incompleteReason, tone: "error" });
  };
  return { save, goToList, isPending, error };
}
