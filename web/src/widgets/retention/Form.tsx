import type { ReactNode } from "react";
import { Combobox } from "../../ui/Combobox/Combobox.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import { CountField } from "../CountField.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { NumberField } from "../DisplayFields.tsx";
import { FilterList } from "../FilterList.tsx";
import { FormLine, FormSection } from "../FormSection.tsx";
import { eventOffer } from "../names.ts";
import { SegmentField } from "../SegmentField.tsx";

type Config = Configs["retention"];

const DEFAULT_PERIOD_COUNT = 8;
const GRANULARITIES = [
  { value: "day", label: "day" },
  { value: "week", label: "week" },
  { value: "month", label: "month" },
] as const;

/** What retention asks: with what newcomers begin, and with what they come back. */
export function Form({ config, onChange, names }: FormProps<"retention">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const { returnEvent = null } = config;
  return (
    <>
      <FormSection>
        <Combobox label="Event" hint="Actors join the cohort of the period in which they first do this." value={config.cohortEvent} {...eventOffer(names)} onChange={(cohortEvent) => update({ cohortEvent })} />
        <FilterList filters={config.cohortFilters ?? []} names={names} onChange={(cohortFilters) => update({ cohortFilters })} />
      </FormSection>
      <FormSection>
        <Combobox label="Return event" placeholder="The same event" value={returnEvent ?? ""} {...eventOffer(names)} onChange={(event) => update({ returnEvent: event === "" ? null : event })} />
        <FilterList label="Filters for the return event" filters={config.returnFilters ?? []} names={names} onChange={(returnFilters) => update({ returnFilters })} />
      </FormSection>
      <FormSection>
        <FormLine words="Period">
          <Segmented label="Period" small value={config.granularity ?? "day"} options={GRANULARITIES} onChange={(granularity) => update({ granularity })} />
        </FormLine>
        <NumberField label="Periods" min={2} max={12} value={config.periods ?? DEFAULT_PERIOD_COUNT} onChange={(periods) => periods !== null && update({ periods })} />
        <CountField count={config.count} onChange={(count) => update({ count })} />
        <SegmentField segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />
      </FormSection>
      <FormSection title="Display">
        <SwitchField atEnd label="Lines" checked={config.display?.chart === "line"} onChange={(isLine) => update({ display: { ...config.display, chart: isLine ? "line" : null } })} />
      </FormSection>
    </>
  );
}
