import type { ReactNode, SyntheticEvent } from "react";
import type { AnnotationFields } from "../api/annotations.ts";
import { errorsAbout } from "../api/fieldErrors.ts";
import { FormError } from "../ui/Field/FormError.tsx";
import { TextArea } from "../ui/Field/TextArea.tsx";
import { TextField } from "../ui/Field/TextField.tsx";
import styles from "./AnnotationForm.module.css";
import { ColorField } from "./ColorField.tsx";
import { type AnnotationDraft, type AnnotationTimes, fieldsOfDraft } from "./annotationDraft.ts";

export interface AnnotationFormProps {
  draft: AnnotationDraft;
  onChange: (draft: AnnotationDraft) => void;
  originalTimes: AnnotationTimes;
  timezone: string;
  error: unknown;
  onSubmit: (fields: Omit<AnnotationFields, "environment">) => void;
  /** The buttons below; the one that saves can do it only with a label. */
  actions: (isReady: boolean) => ReactNode;
}

/** The fields of an annotation: what happened, when, until when, and how it stands on the charts. */
export function AnnotationForm({ draft, onChange, originalTimes, timezone, error, onSubmit, actions }: AnnotationFormProps) {
  const update = (change: Partial<AnnotationDraft>) => onChange({ ...draft, ...change });
  const isReady = draft.label.trim() !== "" && draft.time !== "";
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isReady) onSubmit(fieldsOfDraft(draft, originalTimes, timezone));
  };
  const { errorByField, otherError } = errorsAbout(error, { label: "Label", time: "When", timeEnd: "Until", description: "Description" });
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label="Label"
        placeholder="What happened"
        autoComplete="off"
        required
        maxLength={120}
        value={draft.label}
        onChange={(label) => update({ label })}
        error={errorByField.label}
      />
      <div className={styles.times}>
        <TextField label="When" type="datetime-local" required value={draft.time} onChange={(time) => update({ time })} error={errorByField.time} />
        <TextField label="Until" type="datetime-local" value={draft.timeEnd} onChange={(timeEnd) => update({ timeEnd })} error={errorByField.timeEnd} />
      </div>
      <p className={styles.zone}>Times are in {timezone}. Leave “Until” empty to mark a moment.</p>
      <TextArea label="Description" rows={2} maxLength={500} value={draft.description} onChange={(description) => update({ description })} error={errorByField.description} />
      <ColorField color={draft.color} onChange={(color) => update({ color })} />
      <FormError text={otherError} />
      {actions(isReady)}
    </form>
  );
}
