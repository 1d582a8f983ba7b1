import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check, Pause, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { type Alert, alertsQuery, createAlert, deleteAlert } from "../../api/alerts.ts";
import { errorInLine } from "../../api/words.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { Menu } from "../../ui/Menu/Menu.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import { ResolveDialog } from "./ResolveDialog.tsx";
import { draftOf, fieldsOf } from "./draft.ts";
import { useSwitch } from "./useSwitch.ts";

export interface AlertMenuProps {
  alert: Alert;
  /** Called once it is deleted, before the list is shown. */
  onDeleted: () => void;
}

/** What can be done with an alert besides editing it. */
export function AlertMenu({ alert, onDeleted }: AlertMenuProps) {
  const [openDialog, setOpenDialog] = useState<"delete" | "resolve">();
  const close = () => setOpenDialog(undefined);
  const { switchAlert } = useSwitch();
  const items = [
    ...(alert.status === "firing" ? [{ label: "Resolve", icon: Check, onSelect: () => setOpenDialog("resolve") }] : []),
    alert.enabled
      ? { label: "Pause", icon: Pause, onSelect: () => switchAlert(alert, false, true) }
      : { label: "Resume", icon: Play, onSelect: () => switchAlert(alert, true, true) },
    { label: "Delete", icon: Trash2, danger: true, onSelect: () => setOpenDialog("delete") },
  ];
  return (
    <>
      <Menu label="Alert menu" items={items} />
      {openDialog === "delete" ? <DeleteAlert alert={alert} onDeleted={onDeleted} onClose={close} /> : null}
      {openDialog === "resolve" ? <ResolveDialog alert={alert} onClose={close} /> : null}
    </>
  );
}

function DeleteAlert({ alert, onDeleted, onClose }: AlertMenuProps & { onClose: () => void }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: alertsQuery.queryKey });
  const restore = () => {
    createAlert({ ...fieldsOf(draftOf(alert)), enabled: alert.enabled }).then(refresh).catch(sayFailure);
  };
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => deleteAlert(alert.id),
    onSuccess: async () => {
      onDeleted();
      queryClient.setQueryData(alertsQuery.queryKey, (alerts) => alerts?.filter(({ id }) => id !== alert.id));
      await navigate({ to: "/alerts" });
      toast({ text: `Deleted “${alert.name}”`, action: { label: "Undo", onAct: restore } });
      void refresh();
    },
  });
  return (
    <ConfirmDialog
      title={`Delete “${alert.name}”`}
      detail="It stops immediately. Its activity is kept."
      confirm="Delete"
      busy={isPending}
      error={error ? errorInLine(error) : null}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
