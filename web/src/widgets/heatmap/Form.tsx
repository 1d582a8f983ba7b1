import type { ReactNode } from "react";
import { zoneJudge, zonesWith } from "../../scope/zones.ts";
import { Combobox } from "../../ui/Combobox/Combobox.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { FilterList } from "../FilterList.tsx";
import { FormSection } from "../FormSection.tsx";
import { EventField } from "../MeasureFields.tsx";
import { SegmentField } from "../SegmentField.tsx";

type Config = Configs["heatmap"];

/** What a heat map asks. */
export function Form({ config, onChange, names }: FormProps<"heatmap">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  return (
    <>
      <FormSection>
        <EventField selection={config} names={names} onChange={update} />
      </FormSection>
      <FormSection>
        <FilterList filters={config.filters ?? []} names={names} onChange={(filters) => update({ filters })} />
        <SegmentField segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />
      </FormSection>
      <FormSection title="Display">
        <Combobox
          label="Time zone"
          placeholder="Workspace time zone"
          value={config.timezone ?? ""}
          options={zonesWith(config.timezone ?? "").map((value) => ({ value }))}
          textJudge={zoneJudge}
          onChange={(zone) => update({ timezone: zone === "" ? null : zone })}
        />
      </FormSection>
    </>
  );
}
