import type { ReactNode } from "react";
import { Combobox } from "../../ui/Combobox/Combobox.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { NumberField } from "../DisplayFields.tsx";
import { FilterList } from "../FilterList.tsx";
import { FormPair, FormSection } from "../FormSection.tsx";
import { EventField } from "../MeasureFields.tsx";
import { numberOffer } from "../names.ts";
import { SegmentField } from "../SegmentField.tsx";

type Config = Configs["histogram"];

const DEFAULT_BUCKET_COUNT = 20;

/** What a histogram asks: the property whose numbers it spreads. */
export function Form({ config, onChange, names }: FormProps<"histogram">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const { display } = config;
  return (
    <>
      <FormSection>
        <EventField selection={config} names={names} onChange={update} />
        <Combobox label="Property" hint="Only numeric values count." value={config.property} {...numberOffer(names)} onChange={(property) => update({ property })} />
      </FormSection>
      <FormSection>
        <FilterList filters={config.filters ?? []} names={names} onChange={(filters) => update({ filters })} />
        <SegmentField segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />
      </FormSection>
      <FormSection title="Display">
        <FormPair>
          <NumberField label="Buckets" min={2} max={50} value={config.buckets ?? DEFAULT_BUCKET_COUNT} onChange={(buckets) => buckets !== null && update({ buckets })} />
          <TextField label="Unit" placeholder="ms" maxLength={20} value={display?.unit ?? ""} onChange={(unit) => update({ display: { ...display, unit: unit === "" ? null : unit } })} />
        </FormPair>
        <SwitchField atEnd label="Median and p95" checked={config.percentiles ?? false} onChange={(percentiles) => update({ percentiles })} />
      </FormSection>
    </>
  );
}
