import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { annotationsQuery, createAnnotation } from "../../api/annotations.ts";
import { errorInWords } from "../../api/words.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { toast } from "../../ui/Toast/toast.ts";
import styles from "./AnnotationDialog.module.css";

export interface AnnotationDialogProps {
  environment: string;
  at: string;
  onClose: () => void;
}

/** Name a moment; the label is all that it needs. */
export function AnnotationDialog({ environment, at, onClose }: AnnotationDialogProps) {
  const queryClient = useQueryClient();
  const [label, setLabel] = useState("");
  const save = useMutation({
    mutationFn: () => createAnnotation({ environment, label, time: at }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: annotationsQuery(environment).queryKey });
      toast({ text: `Annotated “${label}”` });
      onClose();
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog title="Annotate" description={`Shown on every chart over time of ${environment}.`} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <TextField
          label="Label"
          value={label}
          onChange={setLabel}
          required
          maxLength={120}
          error={save.error ? errorInWords(save.error).detail : null}
        />
        <Button type="submit" variant="primary" busy={save.isPending} disabled={label.trim() === ""}>
          Save
        </Button>
      </form>
    </Dialog>
  );
}
