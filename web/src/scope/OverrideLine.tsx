import { Button } from "../ui/Button/Button.tsx";
import styles from "./OverrideLine.module.css";

export interface OverrideLineProps {
  /** What is shown and what is saved, in words. */
  currentWords: string;
  savedWords: string;
  /** Save what is shown; absent for those who may not. */
  onSave?: (() => void) | undefined;
  busy?: boolean;
  onReset: () => void;
}

/** One quiet line: the page shows something else than what is saved. */
export function OverrideLine({ currentWords, savedWords, onSave, busy = false, onReset }: OverrideLineProps) {
  return (
    <p className={styles.line}>
      <span>{`Showing ${currentWords}. Default: ${savedWords}.`}</span>
      {onSave ? (
        <Button variant="quiet" small className={styles.action} onClick={onSave} busy={busy}>
          Save as default
        </Button>
      ) : null}
      <Button variant="quiet" small className={styles.action} onClick={onReset}>
        Reset
      </Button>
    </p>
  );
}
