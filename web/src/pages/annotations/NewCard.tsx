import { useState } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { AnnotationForm } from "../../widgets/AnnotationForm.tsx";
import { useSaveAnnotation } from "../../widgets/annotationChanges.ts";
import { draftAt } from "../../widgets/annotationDraft.ts";
import styles from "./NewCard.module.css";

export interface NewCardProps {
  environment: string;
  /** What people call it. */
  environmentName: string;
  timezone: string;
}

/** The form of the next annotation, beside those that there are. */
export function NewCard({ environment, environmentName, timezone }: NewCardProps) {
  // A new form after each that was saved.
  const [formState, setFormState] = useState(() => ({ number: 0, at: new Date().toISOString() }));
  const save = useSaveAnnotation(environment, undefined, () =>
    setFormState(({ number }) => ({ number: number + 1, at: new Date().toISOString() })),
  );
  return (
    <Card title="New annotation">
      <AnnotationForm
        key={formState.number}
        initialDraft={draftAt(formState.at, timezone)}
        originalTimes={{ time: formState.at, timeEnd: null }}
        timezone={timezone}
        error={save.error}
        onSubmit={(fields) => save.isPending || save.mutate(fields)}
        actions={(isReady) => (
          <>
            <p className={styles.note}>Shown on every time chart in {environmentName}.</p>
            <Button type="submit" variant="primary" wide busy={save.isPending} disabled={!isReady}>
              Annotate
            </Button>
          </>
        )}
      />
    </Card>
  );
}
