import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, type ReactNode, useState } from "react";
import { annotationsQuery, createAnnotation } from "../../api/annotations.ts";
import { errorInWords } from "../../api/words.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { toast } from "../../ui/Toast/toast.ts";

/** Marking a moment on the charts of an environment: the dialog to show, and what opens it. */
export interface Annotate {
  /** Open the dialog for a moment (RFC 3339); absent for those who may not. */
  begin: ((t: string) => void) | undefined;
  dialog: ReactNode;
}

/** Let developers mark a moment of an environment from a chart. */
export function useAnnotate(environment: string, mayWrite: boolean): Annotate {
  const [moment, setMoment] = useState<string | null>(null);
  return {
    begin: mayWrite ? setMoment : undefined,
    dialog: moment ? <AnnotationDialog environment={environment} at={moment} onClose={() => setMoment(null)} /> : null,
  };
}

interface AnnotationDialogProps {
  environment: string;
  at: string;
  onClose: () => void;
}

function AnnotationDialog({ environment, at, onClose }: AnnotationDialogProps) {
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
      <form onSubmit={submit}>
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
