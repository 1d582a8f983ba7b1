import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import type { Annotation } from "../api/annotations.ts";
import { identityQuery } from "../api/auth.ts";
import { DraftNote } from "../scope/work/DraftNote.tsx";
import { LeaveQuestion } from "../scope/work/LeaveQuestion.tsx";
import { OutdatedNote } from "../scope/work/OutdatedNote.tsx";
import { useWork } from "../scope/work/useWork.ts";
import { Button } from "../ui/Button/Button.tsx";
import { Dialog } from "../ui/Dialog/Dialog.tsx";
import styles from "./AnnotationDialog.module.css";
import { AnnotationForm } from "./AnnotationForm.tsx";
import { useDeleteAnnotation, useSaveAnnotation } from "./annotationChanges.ts";
import { draftAt, draftOfAnnotation, wordsOf } from "./annotationDraft.ts";

export interface AnnotationDialogProps {
  environment: string;
  /** The moment of a new one (RFC 3339). */
  time: string;
  /** The one that is edited; absent for a new one. */
  annotation?: Annotation;
  onClose: () => void;
}

/** Name a moment, or change one that has a name; the label is all that it needs. */
export function AnnotationDialog({ environment, time, annotation, onClose }: AnnotationDialogProps) {
  const { data: identity } = useQuery(identityQuery);
  const timezone = identity?.workspace.timezone ?? "UTC";
  const savedValue = annotation ? draftOfAnnotation(annotation, timezone) : draftAt(time, timezone);
  const work = useWork({
    subject: annotation ? `annotation ${annotation.id}` : `annotation at ${environment}`,
    savedValue,
    isNew: annotation === undefined,
    essenceOf: annotation ? undefined : wordsOf,
    // Whoever points at another moment means that one.
    adapt: (draft) => (annotation ? draft : { ...draft, time: savedValue.time, timeEnd: savedValue.timeEnd }),
  });
  const saving = useSaveAnnotation(environment, annotation, onClose, { work, timezone });
  const removal = useDeleteAnnotation(() => {
    work.finish();
    onClose();
  });
  const close = () => {
    work.sayKept();
    onClose();
  };
  return (
    <Dialog
      title={annotation ? "Edit annotation" : "New annotation"}
      description={`Shown on every time chart in ${environment}.`}
      onClose={close}
    >
      <OutdatedNote work={work} noun="annotation" />
      <AnnotationForm
        draft={work.value}
        onChange={work.change}
        originalTimes={annotation ?? { time, timeEnd: null }}
        timezone={timezone}
        error={saving.error ?? removal.error}
        onSubmit={(fields) => saving.isPending || saving.mutate(fields)}
        actions={(isReady) => (
          <div className={styles.actions}>
            {annotation ? (
              <Button variant="danger" icon={Trash2} busy={removal.isPending} onClick={() => removal.mutate(annotation)}>
                Delete
              </Button>
            ) : null}
            <span className={styles.gap}>
              <DraftNote work={work} />
            </span>
            <Button onClick={close}>Cancel</Button>
            <Button type="submit" variant="primary" busy={saving.isPending} disabled={!isReady}>
              Save
            </Button>
          </div>
        )}
      />
      <LeaveQuestion work={work} />
    </Dialog>
  );
}
