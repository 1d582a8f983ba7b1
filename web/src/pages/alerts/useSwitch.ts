import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Alert, alertQuery, alertsQuery, changeAlert } from "../../api/alerts.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { toast } from "../../ui/Toast/toast.ts";

/** Pause and resume alerts; what fires is over then, and nobody is told. */
export function useSwitch() {
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id, enabled }: Pick<Alert, "id" | "enabled">) => changeAlert(id, { enabled }),
    onSuccess: async (alert) => {
      queryClient.setQueryData(alertQuery(alert.id).queryKey, alert);
      queryClient.setQueryData(alertsQuery.queryKey, (alerts) => alerts?.map((entry) => (entry.id === alert.id ? alert : entry)));
      await queryClient.invalidateQueries({ queryKey: ["/v1/alerts/activity"] });
    },
    onError: sayFailure,
  });
  const switchAlert = ({ id, name }: Pick<Alert, "id" | "name">, enabled: boolean, hasUndo: boolean) => {
    const action = { label: "Undo", onAct: () => mutate({ id, enabled: !enabled }) };
    const notice = { text: enabled ? `Resumed “${name}”` : `Paused “${name}”`, ...(hasUndo ? { action } : {}) };
    mutate({ id, enabled }, { onSuccess: () => toast(notice) });
  };
  /** Whether an alert is on, as it will be once the change has arrived. */
  const isOn = ({ id, enabled }: Pick<Alert, "id" | "enabled">) => (isPending && variables.id === id ? variables.enabled : enabled);
  return { switchAlert, isOn };
}
