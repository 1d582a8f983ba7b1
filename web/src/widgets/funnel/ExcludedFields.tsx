import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import type { Configs, Names } from "../definition.ts";
import { FormActions, FormPair } from "../FormSection.tsx";
import { EventField } from "../MeasureFields.tsx";
import { anotherEvent } from "../names.ts";
import { askedFirst } from "../words.ts";

type Excluded = NonNullable<Configs["funnel"]["exclude"]>;

export interface ExcludedFieldsProps {
  excluded: Excluded;
  steps: Configs["funnel"]["steps"];
  names: Names;
  onChange: (excluded: Excluded) => void;
}

const MOST = 5;

/** Events that spoil a chain if they come between two steps. */
export function ExcludedFields({ excluded, steps, names, onChange }: ExcludedFieldsProps): ReactNode {
  const choices = steps.map((_, at) => ({ value: String(at + 1), label: `Step ${at + 1}` }));
  return (
    <>
      {excluded.map((each, at) => {
        const [from, to] = each.between;
        const put = (between: [number, number]): void => onChange(excluded.with(at, { ...each, between }));
        return (
          <div key={at} role="group" aria-label={`Excluded event ${at + 1}`}>
            <EventField label="Excluded event" asked={each} names={names} onChange={(asked) => onChange(excluded.with(at, { ...each, ...asked }))} />
            <FormPair>
              <SelectField label="After" value={String(from)} options={choices.slice(0, -1)} onChange={(value) => put([Number(value), Math.max(to, Number(value) + 1)])} />
              <SelectField label="Before" value={String(to)} options={choices.slice(from)} onChange={(value) => put([from, Number(value)])} />
            </FormPair>
            <FormActions>
              <Button variant="quiet" small onClick={() => onChange(excluded.toSpliced(at, 1))}>
                Remove exclusion
              </Button>
            </FormActions>
          </div>
        );
      })}
      {excluded.length < MOST && (
        <FormActions>
          <Button variant="quiet" small icon={Plus} onClick={() => onChange([...excluded, { ...askedFirst(anotherEvent(names, [...steps, ...excluded])), between: [1, steps.length] }])}>
            Exclude an event
          </Button>
        </FormActions>
      )}
    </>
  );
}
