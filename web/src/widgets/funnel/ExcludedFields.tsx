import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import type { Configs, Names } from "../definition.ts";
import { FormActions, FormPair } from "../FormSection.tsx";
import { EventField } from "../MeasureFields.tsx";
import { anotherEvent } from "../names.ts";
import { eventsFieldOf } from "../words.ts";

type Exclusions = NonNullable<Configs["funnel"]["exclude"]>;

export interface ExcludedFieldsProps {
  exclusions: Exclusions;
  steps: Configs["funnel"]["steps"];
  names: Names;
  onChange: (exclusions: Exclusions) => void;
}

const MAX_EXCLUSIONS = 5;

/** Events that spoil a chain if they come between two steps. */
export function ExcludedFields({ exclusions, steps, names, onChange }: ExcludedFieldsProps): ReactNode {
  const stepChoices = steps.map((_, index) => ({ value: String(index + 1), label: `Step ${index + 1}` }));
  return (
    <>
      {exclusions.map((exclusion, index) => {
        const [fromStep, toStep] = exclusion.between;
        const updateSteps = (between: [number, number]): void => onChange(exclusions.with(index, { ...exclusion, between }));
        return (
          <div key={index} role="group" aria-label={`Excluded event ${index + 1}`}>
            <EventField label="Excluded event" selection={exclusion} names={names} onChange={(selection) => onChange(exclusions.with(index, { ...exclusion, ...selection }))} />
            <FormPair>
              <SelectField label="After" value={String(fromStep)} options={stepChoices.slice(0, -1)} onChange={(value) => updateSteps([Number(value), Math.max(toStep, Number(value) + 1)])} />
              <SelectField label="Before" value={String(toStep)} options={stepChoices.slice(fromStep)} onChange={(value) => updateSteps([fromStep, Number(value)])} />
            </FormPair>
            <FormActions>
              <Button variant="quiet" small onClick={() => onChange(exclusions.toSpliced(index, 1))}>
                Remove exclusion
              </Button>
            </FormActions>
          </div>
        );
      })}
      {exclusions.length < MAX_EXCLUSIONS && (
        <FormActions>
          <Button variant="quiet" small icon={Plus} onClick={() => onChange([...exclusions, { ...eventsFieldOf(anotherEvent(names, [...steps, ...exclusions])), between: [1, steps.length] }])}>
            Exclude an event
          </Button>
        </FormActions>
      )}
    </>
  );
}
