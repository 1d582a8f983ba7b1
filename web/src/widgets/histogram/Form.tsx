import type { ReactNode } from "react";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Sentence, Together } from "../../ui/Tokens/Sentence.tsx";
import { TokenCombobox } from "../../ui/Tokens/tokens.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { NumberField, isDisplayChosen } from "../DisplayFields.tsx";
import { FormPair } from "../FormSection.tsx";
import { MoreFields } from "../MoreFields.tsx";
import { numberOffer } from "../names.ts";
import { EventToken, FilterTokens, SegmentToken } from "../questionTokens.tsx";

type Config = Configs["histogram"];

const DEFAULT_BUCKET_COUNT = 20;

/** What a histogram asks: the property whose numbers it spreads. */
export function Form({ config, onChange, names, timeRangeToken }: FormProps<"histogram">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const { display, buckets = DEFAULT_BUCKET_COUNT } = config;
  return (
    <>
      <Sentence isLarge>
        Show the distribution of{" "}
        <TokenCombobox label="Property" placeholder="number" value={config.property} {...numberOffer(names)} onChange={(property) => update({ property })} />{" "}
        <Together>
          of <EventToken selection={config} names={names} onChange={update} />
        </Together>{" "}
        <FilterTokens filters={config.filters ?? []} names={names} onChange={(filters) => update({ filters })} />{" "}
        <SegmentToken segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />{" "}
        <Together>over {timeRangeToken}</Together>
      </Sentence>
      <MoreFields isUsed={buckets !== DEFAULT_BUCKET_COUNT || isDisplayChosen(display)}>
        <FormPair>
          <NumberField label="Buckets" min={2} max={50} value={buckets} onChange={(bucketCount) => bucketCount !== null && update({ buckets: bucketCount })} />
          <TextField label="Unit" placeholder="ms" maxLength={20} value={display?.unit ?? ""} onChange={(unit) => update({ display: { ...display, unit: unit === "" ? null : unit } })} />
        </FormPair>
        <SwitchField atEnd label="Median and p95" checked={config.percentiles ?? false} onChange={(percentiles) => update({ percentiles })} />
      </MoreFields>
    </>
  );
}
