import { Fragment } from "react";
import { FormDialog, type FormDialogProps } from "../../ui/Dialog/FormDialog.tsx";
import { DraftNote } from "./DraftNote.tsx";
import { LeaveQuestion } from "./LeaveQuestion.tsx";
import { OutdatedNote } from "./OutdatedNote.tsx";
import type { AnyWork } from "./useWork.ts";

export interface WorkDialogProps extends Omit<FormDialogProps, "note"> {
  work: AnyWork;
  /** What is edited: "segment". */
  noun: string;
}

/** A dialog to fill in that loses nothing: closed without saving, it leaves a draft behind and says so. */
export function WorkDialog({ work, noun, onClose, children, ...dialogProps }: WorkDialogProps) {
  const close = () => {
    work.sayKept();
    onClose();
  };
  return (
    <>
      <FormDialog {...dialogProps} note={<DraftNote work={work} />} onClose={close}>
        <OutdatedNote work={work} noun={noun} />
        <Fragment key={work.edition}>{children}</Fragment>
      </FormDialog>
      <LeaveQuestion work={work} />
    </>
  );
}
