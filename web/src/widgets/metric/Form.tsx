import type { ReactNode } from "react";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { BreakdownFields } from "../BreakdownFields.tsx";
import { CompareField } from "../CompareField.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { DisplayFields, GoodField } from "../DisplayFields.tsx";
import { FilterList } from "../FilterList.tsx";
import { FormSection, FormSelect } from "../FormSection.tsx";
import { IntervalField } from "../IntervalField.tsx";
import { MeasureFields } from "../MeasureFields.tsx";
import { SegmentField } from "../SegmentField.tsx";
import { displayOf } from "./shape.ts";

type Config = Configs["metric"];

const RESTS = [
  { value: "", label: "Nothing else" },
  { value: "none", label: "Events without a value" },
  { value: "other", label: "All other values" },
  { value: "both", label: "Both" },
];

/** What a metric asks, from top to bottom. */
export function Form({ config, onChange, names }: FormProps<"metric">): ReactNode {
  const update = (change: Partial<Config>): void => onChange(withoutRefused({ ...config, ...change }));
  const { breakdown = null, overTime = false } = config;
  const isRanked = breakdown !== null && !overTime;
  return (
    <>
      <FormSection>
        <MeasureFields measurement={config} names={names} onChange={update} />
      </FormSection>
      <FormSection>
        <FilterList filters={config.filters ?? []} names={names} onChange={(filters) => update({ filters })} />
        <SegmentField segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />
      </FormSection>
      <FormSection>
        <BreakdownFields breakdown={breakdown} limit={config.limit} names={names} onChange={update} />
        {breakdown !== null && (
          <FormSelect
            label="Also show"
            value={config.rest ?? ""}
            options={RESTS}
            onChange={(rest) => update({ rest: rest === "none" || rest === "other" || rest === "both" ? rest : null })}
          />
        )}
      </FormSection>
      <FormSection title="Display">
        <SwitchField atEnd label="Over time" checked={overTime} onChange={(isOn) => update({ overTime: isOn })} />
        {overTime && <IntervalField interval={config.interval} onChange={(interval) => update({ interval })} />}
        {!isRanked && <CompareField compare={config.compare} fallback={overTime ? "none" : "previous"} onChange={(compare) => update({ compare })} />}
        {!isRanked && <GoodField good={displayOf(config).good} onChange={(good) => update({ display: { ...config.display, good } })} />}
        <DisplayFields display={displayOf(config)} hasChart={overTime} hasGoal={!isRanked} onChange={(display) => update({ display, chart: null, goal: null, good: null })} />
      </FormSection>
    </>
  );
}

/** Leave out what the API refuses: a rest without a breakdown, a comparison of a ranked list. */
function withoutRefused(config: Config): Config {
  const { breakdown = null, overTime = false } = config;
  return {
    ...config,
    ...(breakdown === null ? { rest: null } : {}),
    ...(breakdown !== null && !overTime ? { compare: null } : {}),
    ...(overTime ? {} : { interval: null }),
  };
}
