import { Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { Combobox } from "../../ui/Combobox/Combobox.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { CountField } from "../CountField.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { NumberField } from "../DisplayFields.tsx";
import { FilterList } from "../FilterList.tsx";
import { FormActions, FormPair, FormSection } from "../FormSection.tsx";
import { EventField } from "../MeasureFields.tsx";
import { anotherEvent, breakdownOffer, keyOffer } from "../names.ts";
import { SegmentField } from "../SegmentField.tsx";
import { eventsFieldOf } from "../words.ts";
import { ExcludedFields } from "./ExcludedFields.tsx";

type Config = Configs["funnel"];

const MAX_STEPS = 8;
const DEFAULT_WINDOW_HOURS = 168;
const WINDOW_STARTS = [
  { value: "previous", label: "Previous step" },
  { value: "first", label: "First step" },
];

/** What a funnel asks: its steps in their order, and how long they may take. */
export function Form({ config, onChange, names }: FormProps<"funnel">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const { breakdown = null, holding = null } = config;
  return (
    <>
      <StepFields config={config} names={names} onChange={onChange} />
      <FormSection>
        <FormPair>
          <NumberField label="Conversion window (hours)" min={1} max={720} value={config.windowHours ?? DEFAULT_WINDOW_HOURS} onChange={(hours) => hours !== null && update({ windowHours: hours })} />
          <SelectField label="Counted from" value={config.windowFrom ?? "previous"} options={WINDOW_STARTS} onChange={(from) => update({ windowFrom: from === "first" ? "first" : "previous" })} />
        </FormPair>
        <CountField count={config.count} onChange={(count) => update({ count })} />
        <SwitchField atEnd label="Time between steps" checked={config.times ?? false} onChange={(times) => update({ times })} />
        <SegmentField segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />
      </FormSection>
      <FormSection>
        <Combobox label="Break down by" placeholder="Nothing" value={breakdown ?? ""} {...breakdownOffer(names)} onChange={(key) => update({ breakdown: key === "" ? null : key })} />
        <Combobox
          label="Same value of"
          hint="Every step must have the same value, e.g. an order number."
          placeholder="Nothing"
          value={holding ?? ""}
          {...keyOffer(names)}
          onChange={(key) => update({ holding: key === "" ? null : key })}
        />
        <ExcludedFields exclusions={config.exclude ?? []} steps={config.steps} names={names} onChange={(exclude) => update({ exclude })} />
      </FormSection>
    </>
  );
}

function StepFields({ config, onChange, names }: FormProps<"funnel">): ReactNode {
  const { steps } = config;
  const [ids, setIds] = useState(() => steps.map((_, index) => index));
  const updateSteps = (nextSteps: Config["steps"]): void =>
    onChange({ ...config, steps: nextSteps, exclude: limitToSteps(config.exclude, nextSteps.length) });
  const addStep = (): void => {
    setIds([...ids, Math.max(-1, ...ids) + 1]);
    updateSteps([...steps, eventsFieldOf(anotherEvent(names, steps))]);
  };
  const removeStep = (index: number): void => {
    setIds(ids.toSpliced(index, 1));
    updateSteps(steps.toSpliced(index, 1));
  };
  return (
    <>
      {steps.map((step, index) => (
        <FormSection key={ids[index] ?? index}>
          <EventField label={`Step ${index + 1}`} selection={step} names={names} onChange={(selection) => updateSteps(steps.with(index, { ...step, ...selection }))} />
          <FilterList label={`Filters for step ${index + 1}`} filters={step.filters ?? []} names={names} onChange={(filters) => updateSteps(steps.with(index, { ...step, filters }))} />
          {steps.length > 2 && (
            <FormActions>
              <Button variant="quiet" small onClick={() => removeStep(index)}>
                Remove step {index + 1}
              </Button>
            </FormActions>
          )}
        </FormSection>
      ))}
      {steps.length < MAX_STEPS && (
        <FormSection>
          <FormActions>
            <Button small icon={Plus} onClick={addStep}>
              Step
            </Button>
          </FormActions>
        </FormSection>
      )}
    </>
  );
}

/** Keep what is excluded between steps that exist. */
function limitToSteps(exclusions: Config["exclude"], stepCount: number): NonNullable<Config["exclude"]> {
  return (exclusions ?? []).filter(({ between: [, to] }) => to <= stepCount);
}
