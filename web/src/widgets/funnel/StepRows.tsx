import { Plus, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { moveEntry } from "../../core/order.ts";
import { FilterField } from "../../scope/filterField/FilterField.tsx";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { MoveHandle } from "../../ui/MoveHandle/MoveHandle.tsx";
import type { FormProps } from "../definition.ts";
import { FormActions } from "../FormSection.tsx";
import { EventField } from "../MeasureFields.tsx";
import { anotherEvent } from "../names.ts";
import { eventsFieldOf, eventsInWords } from "../words.ts";
import { MAX_STEPS, MIN_STEPS, withNewStep, withStep, withStepMoved, withoutStep } from "./steps.ts";
import styles from "./StepRows.module.css";

/** The steps of a funnel in their order, each with its filters. Handles move them. */
export function StepRows({ config, onChange, names }: FormProps<"funnel">): ReactNode {
  const { steps } = config;
  /** What tells the rows apart while they move. */
  const [ids, setIds] = useState(() => steps.map((_, index) => index));
  const [dragIndex, setDragIndex] = useState<number | null>(null);
  const moveStep = (fromIndex: number, toIndex: number): void => {
    const place = Math.max(0, Math.min(toIndex, steps.length - 1));
    setIds(moveEntry(ids, fromIndex, place));
    onChange(withStepMoved(config, fromIndex, place));
    announce(`${eventsInWords(steps[fromIndex] ?? {})} is now step ${place + 1} of ${steps.length}.`);
  };
  const addStep = (): void => {
    setIds([...ids, Math.max(-1, ...ids) + 1]);
    onChange(withNewStep(config, eventsFieldOf(anotherEvent(names, steps))));
  };
  const removeStep = (index: number): void => {
    setIds(ids.toSpliced(index, 1));
    onChange(withoutStep(config, index));
  };
  return (
    <>
      <ol className={styles.steps} aria-label="Steps">
        {steps.map((step, index) => (
          // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a step is dropped here; the handle has keys and a menu
          <li
            key={ids[index] ?? index}
            className={styles.step}
            data-target={dragIndex !== null && dragIndex !== index ? true : undefined}
            onDragOver={(event) => event.preventDefault()}
            onDragEnd={() => setDragIndex(null)}
            onDrop={() => dragIndex !== null && moveStep(dragIndex, index)}
          >
            <MoveHandle name={`step ${index + 1}`} index={index} count={steps.length} onMove={(toIndex) => moveStep(index, toIndex)} onDrag={() => setDragIndex(index)} />
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
            <div className={styles.question}>
              <div className={styles.event}>
                <EventField label={`Step ${index + 1}`} hideLabel selection={step} names={names} onChange={(selection) => onChange(withStep(config, index, { ...step, ...selection }))} />
              </div>
              <FilterField
                label={`Filters for step ${index + 1}`}
                filters={step.filters ?? []}
                environment={names.environment}
                onChange={(filters) => onChange(withStep(config, index, { ...step, filters }))}
              />
            </div>
            {steps.length > MIN_STEPS && <IconButton label={`Remove step ${index + 1}`} icon={X} small onClick={() => removeStep(index)} />}
          </li>
        ))}
      </ol>
      {steps.length < MAX_STEPS && (
        <FormActions>
          <Button small icon={Plus} onClick={addStep}>
            Step
          </Button>
        </FormActions>
      )}
    </>
  );
}
