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
import { anotherEvent, breakdownsOf, keysOf } from "../names.ts";
import { SegmentField } from "../SegmentField.tsx";
import { askedFirst } from "../words.ts";
import { ExcludedFields } from "./ExcludedFields.tsx";

type Config = Configs["funnel"];

const MOST = 8;
const WINDOW = 168;
const FROM = [
  { value: "previous", label: "The step before" },
  { value: "first", label: "The first step" },
];

/** What a funnel asks: its steps in their order, and how long they may take. */
export function Form({ config, onChange, names }: FormProps<"funnel">): ReactNode {
  const put = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const { breakdown = null, holding = null } = config;
  return (
    <>
      <StepFields config={config} names={names} onChange={onChange} />
      <FormSection>
        <FormPair>
          <NumberField label="Window, hours" least={1} most={720} value={config.windowHours ?? WINDOW} onChange={(hours) => hours !== null && put({ windowHours: hours })} />
          <SelectField label="Counted from" value={config.windowFrom ?? "previous"} options={FROM} onChange={(from) => put({ windowFrom: from === "first" ? "first" : "previous" })} />
        </FormPair>
        <CountField count={config.count} onChange={(count) => put({ count })} />
        <SwitchField atEnd label="How long each step took" checked={config.times ?? false} onChange={(times) => put({ times })} />
        <SegmentField segmentId={config.segmentId} names={names} onChange={(segmentId) => put({ segmentId })} />
      </FormSection>
      <FormSection>
        <Combobox label="Break down by" placeholder="Nothing" value={breakdown ?? ""} {...breakdownsOf(names)} onChange={(key) => put({ breakdown: key === "" ? null : key })} />
        <Combobox
          label="Same value of"
          hint="All events of a chain have it, such as the number of an order."
          placeholder="Nothing"
          value={holding ?? ""}
          {...keysOf(names)}
          onChange={(key) => put({ holding: key === "" ? null : key })}
        />
        <ExcludedFields exclusions={config.exclude ?? []} steps={config.steps} names={names} onChange={(exclude) => put({ exclude })} />
      </FormSection>
    </>
  );
}

function StepFields({ config, onChange, names }: FormProps<"funnel">): ReactNode {
  const { steps } = config;
  const [ids, setIds] = useState(() => steps.map((_, at) => at));
  const put = (next: Config["steps"]): void => onChange({ ...config, steps: next, exclude: within(config.exclude, next.length) });
  const add = (): void => {
    setIds([...ids, Math.max(-1, ...ids) + 1]);
    put([...steps, askedFirst(anotherEvent(names, steps))]);
  };
  const remove = (at: number): void => {
    setIds(ids.toSpliced(at, 1));
    put(steps.toSpliced(at, 1));
  };
  return (
    <>
      {steps.map((step, at) => (
        <FormSection key={ids[at] ?? at}>
          <EventField label={`Step ${at + 1}`} selection={step} names={names} onChange={(selection) => put(steps.with(at, { ...step, ...selection }))} />
          <FilterList label={`Filters of step ${at + 1}`} filters={step.filters ?? []} names={names} onChange={(filters) => put(steps.with(at, { ...step, filters }))} />
          {steps.length > 2 && (
            <FormActions>
              <Button variant="quiet" small onClick={() => remove(at)}>
                Remove step {at + 1}
              </Button>
            </FormActions>
          )}
        </FormSection>
      ))}
      {steps.length < MOST && (
        <FormSection>
          <FormActions>
            <Button small icon={Plus} onClick={add}>
              Step
            </Button>
          </FormActions>
        </FormSection>
      )}
    </>
  );
}

/** Keep what is excluded between steps that exist. */
function within(exclude: Config["exclude"], steps: number): NonNullable<Config["exclude"]> {
  return (exclude ?? []).filter(({ between: [, to] }) => to <= steps);
}
