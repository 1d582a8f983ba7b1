import { useState } from "react";
import { DraftNote } from "../../scope/work/DraftNote.tsx";
import { LeaveQuestion } from "../../scope/work/LeaveQuestion.tsx";
import { useWork } from "../../scope/work/useWork.ts";
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

/** The form of the next annotation, beside those that there are: a new one after each that was saved. */
export function NewCard(props: NewCardProps) {
  const [savedCount, setSavedCount] = useState(0);
  return <NewForm key={savedCount} {...props} onSaved={() => setSavedCount(savedCount + 1)} />;
}

function NewForm({ environment, environmentName, timezone, onSaved }: NewCardProps & { onSaved: () => void }) {
  const [time] = useState(() => new Date().toISOString());
  const work = useWork({ subject: `annotation new ${environment}`, savedValue: draftAt(time, timezone), isNew: true });
  const save = useSaveAnnotation(environment, undefined, onSaved, { work, timezone });
  return (
    <Card title="New annotation" tools={<DraftNote work={work} />}>
      <AnnotationForm
        draft={work.value}
        onChange={work.change}
        originalTimes={{ time, timeEnd: null }}
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
      <LeaveQuestion work={work} />
    </Card>
  );
}
