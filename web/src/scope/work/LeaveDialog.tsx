import { Button } from "../../ui/Button/Button.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";

export interface LeaveDialogProps {
  /** The browser keeps the work as a draft. */
  isKept: boolean;
  onLeave: () => void;
  onDiscard: () => void;
  onStay: () => void;
}

/** The question before work that is not saved is left: go on with it, leave it as a draft, or throw it away. */
export function LeaveDialog({ isKept, onLeave, onDiscard, onStay }: LeaveDialogProps) {
  return (
    <Dialog
      title="Leave without saving?"
      description={isKept ? "This browser keeps your draft for seven days. It's here when you come back." : "Your changes will be lost."}
      onClose={onStay}
      footer={
        <>
          <Button variant="danger" onClick={onDiscard}>Discard and leave</Button>
          {isKept ? <Button onClick={onLeave}>Keep draft and leave</Button> : null}
          <Button variant="primary" onClick={onStay}>Stay</Button>
        </>
      }
    >
      {null}
    </Dialog>
  );
}
