import type { ReactNode } from "react";
import { Combobox } from "../../ui/Combobox/Combobox.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import { CountField } from "../CountField.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { NumberField } from "../DisplayFields.tsx";
import { FilterList } from "../FilterList.tsx";
import { FormLine, FormSection } from "../FormSection.tsx";
import { eventsOf } from "../names.ts";
import { SegmentField } from "../SegmentField.tsx";

type Config = Configs["retention"];

const PERIODS = 8;
const GRANULARITIES = [
  { value: "day", label: "day" },
  { value: "week", label: "week" },
  { value: "month", label: "month" },
] as const;

/** What retention asks: with what newcomers begin, and with what they come back. */
export function Form({ config, onChange, names }: FormProps<"retention">): ReactNode {
  const put = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const { returnEvent = null } = config;
  return (
    <>
      <FormSection>
        <Combobox label="Event" hint="Newcomers belong to the period of their first one." value={config.cohortEvent} {...eventsOf(names)} onChange={(cohortEvent) => put({ cohortEvent })} />
        <FilterList filters={config.cohortFilters ?? []} names={names} onChange={(cohortFilters) => put({ cohortFilters })} />
      </FormSection>
      <FormSection>
        <Combobox label="Return event" placeholder="The same event" value={returnEvent ?? ""} {...eventsOf(names)} onChange={(event) => put({ returnEvent: event === "" ? null : event })} />
        <FilterList label="Filters of the return event" filters={config.returnFilters ?? []} names={names} onChange={(returnFilters) => put({ returnFilters })} />
      </FormSection>
      <FormSection>
        <FormLine words="A period is a">
          <Segmented label="Period" small value={config.granularity ?? "day"} options={GRANULARITIES} onChange={(granularity) => put({ granularity })} />
        </FormLine>
        <NumberField label="Periods" least={2} most={12} value={config.periods ?? PERIODS} onChange={(periods) => periods !== null && put({ periods })} />
        <CountField count={config.count} onChange={(count) => put({ count })} />
        <SegmentField segmentId={config.segmentId} names={names} onChange={(segmentId) => put({ segmentId })} />
      </FormSection>
      <FormSection title="Shown as">
        <SwitchField atEnd label="Line" checked={config.display?.chart === "line"} onChange={(isLine) => put({ display: { ...config.display, chart: isLine ? "line" : null } })} />
      </FormSection>
    </>
  );
}
