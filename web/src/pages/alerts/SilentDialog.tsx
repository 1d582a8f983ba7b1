import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";

export interface SilentDialogProps {
  /** Why nobody is notified. */
  reason: string;
  onSave: () => void;
  onClose: () => void;
}

/** Ask before an alert is saved that notifies nobody. */
export function SilentDialog({ reason, onSave, onClose }: SilentDialogProps) {
  const submit = () => {
    onClose();
    onSave();
  };
  return (
    <FormDialog
      title="Save it without notifying anybody?"
      description={`${reason} When the alert fires, it is only to be seen here, under Alerts.`}
      submit="Save anyway"
      onSubmit={submit}
      onClose={onClose}
    >
      {null}
    </FormDialog>
  );
}
