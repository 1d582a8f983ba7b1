import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type NewKey, createKey, keysQuery } from "../../api/keys.ts";
import { errorInLine } from "../../api/words.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyButton } from "../../ui/Code/CopyButton.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { TallyStep } from "../../ui/Steps/TallyStep.tsx";
import styles from "./StartPage.module.css";

export interface KeyStepProps {
  environment: string;
  /** The key that was made on this page, if any. */
  newKey: NewKey | undefined;
  mayCreate: boolean;
  /** An event has come, so there is a key. */
  isDone: boolean;
  onCreate: (key: NewKey) => void;
}

/** The first step: make a key in place, and show its secret. */
export function KeyStep({ environment, newKey, mayCreate, isDone, onCreate }: KeyStepProps) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: createKey,
    gcTime: 0,
    onSuccess: (key) => {
      onCreate(key);
      return queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
  });
  return (
    <TallyStep
      strokes={1}
      title={`A key for ${environment}`}
      isDone={isDone || newKey !== undefined}
      badge={newKey ? <Badge tone="ok">created</Badge> : null}
    >
      {newKey ? (
        <>
          <div className={styles.secret}>
            <code className={styles.code}>{newKey.secret}</code>
            <CopyButton text={newKey.secret} label="Copy key" small />
          </div>
          <p className={styles.note}>Copy it now. You won't see it again.</p>
        </>
      ) : mayCreate ? (
        <div className={styles.surface}>
          <p className={styles.words}>Every request needs a key. This one is for {environment}.</p>
          <FormError text={error ? errorInLine(error) : null} />
          <Button variant="primary" busy={isPending} onClick={() => mutate({ name: "First event", environment, kind: "ingest" })}>
            Create key
          </Button>
        </div>
      ) : (
        <p className={styles.surface}>You need the Developer role to create a key. Ask a developer for one.</p>
      )}
    </TallyStep>
  );
}
