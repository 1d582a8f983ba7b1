import { useQuery } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import type { Annotation } from "../api/annotations.ts";
import { identityQuery } from "../api/auth.ts";
import { Button } from "../ui/Button/Button.tsx";
import { Dialog } from "../ui/Dialog/Dialog.tsx";
import styles from "./AnnotationDialog.module.css";
import { AnnotationForm } from "./AnnotationForm.tsx";
import { useDeleteAnnotation, useSaveAnnotation } from "./annotationChanges.ts";
import { draftAt, draftOfAnnotation } from "./annotationDraft.ts";

export interface AnnotationDialogProps {
  environment: string;
  /** The moment of a new one (RFC 3339). */
  at: string;
  /** The one that is edited; absent for a new one. */
  annotation?: Annotation;
  onClose: () => void;
}

/** Name a moment, or change one that has a name; the label is all that it needs. */
export function AnnotationDialog({ environment, at, annotation, onClose }: AnnotationDialogProps) {
  const { data: identity } = useQuery(identityQuery);
  const timezone = identity?.workspace.timezone ?? "UTC";
  const save = useSaveAnnotation(environment, annotation, onClose);
  const remove = useDeleteAnnotation(onClose);
  return (
    <Dialog
      title={annotation ? "Edit annotation" : "Annotate"}
      description={`Shown on every chart over time of ${environment}.`}
      onClose={onClose}
    >
      <AnnotationForm
        first={annotation ? draftOfAnnotation(annotation, timezone) : draftAt(at, timezone)}
        start={annotation ?? { time: at, timeEnd: null }}
        timezone={timezone}
        error={save.error ?? remove.error}
        onSubmit={(fields) => save.isPending || save.mutate(fields)}
        actions={(ready) => (
          <div className={styles.actions}>
            {annotation ? (
              <Button variant="danger" icon={Trash2} busy={remove.isPending} onClick={() => remove.mutate(annotation)}>
                Delete
              </Button>
            ) : null}
            <span className={styles.gap} />
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" variant="primary" busy={save.isPending} disabled={!ready}>
              Save
            </Button>
          </div>
        )}
      />
    </Dialog>
  );
}
