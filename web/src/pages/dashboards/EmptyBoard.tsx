import { Plus } from "lucide-react";
import { Button } from "../../ui/Button/Button.tsx";
import { State } from "../../ui/States/State.tsx";
import { Waiting } from "../../ui/Steps/Waiting.tsx";
import { LiveTally } from "../../widgets/LiveTally.tsx";
import styles from "./EmptyBoard.module.css";

export interface EmptyBoardProps {
  environment: string;
  mayWrite: boolean;
  /** Begin to add cards. */
  onArrange: () => void;
}

/** A dashboard without cards: what to do, and the events that it could show as they arrive. */
export function EmptyBoard({ environment, mayWrite, onArrange }: EmptyBoardProps) {
  return (
    <>
      <State
        title="This dashboard is empty"
        detail={mayWrite ? "A widget is a number, a chart or a text." : "A developer can add widgets."}
        action={mayWrite ? <Button variant="primary" icon={Plus} onClick={onArrange}>Add widget</Button> : null}
      />
      <section className={styles.live} aria-label="Live events">
        <LiveTally
          environments={[environment]}
          renderWaiting={(isListening) => (
            <Waiting
              title={isListening ? "Waiting for events" : "Connecting"}
              detail="Each event that arrives draws a stroke. The fifth crosses the four."
            />
          )}
        />
      </section>
    </>
  );
}
