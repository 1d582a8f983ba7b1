import type { ReactNode } from "react";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { DisplayFields } from "../DisplayFields.tsx";
import { FormLine, FormSection } from "../FormSection.tsx";

type Config = Configs["external"];

const TYPES = [
  { value: "number", label: "number" },
  { value: "text", label: "text" },
] as const;

/** Where a value of another service is read. */
export function Form({ config, onChange, names }: FormProps<"external">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const source = names.sources.find(({ id }) => id === config.sourceId);
  const sources = [{ value: "", label: "Choose a source" }, ...names.sources.map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <>
      <FormSection>
        <SelectField
          label="Source"
          hint={names.sources.length === 0 ? "No sources yet. An admin can add one under Sources." : undefined}
          value={config.sourceId}
          options={sources}
          onChange={(sourceId) => update({ sourceId })}
        />
        <TextField label="URL" type="url" hint={source && `Must be on ${source.host}.`} placeholder={source ? `https://${source.host}/` : "https://"} value={config.url} onChange={(url) => update({ url })} />
        <TextField label="Value path" hint="Path to the value in the response, e.g. stats.stars or items.0.name." spellCheck={false} value={config.valuePath} onChange={(valuePath) => update({ valuePath })} />
        <FormLine words="Value type">
          <Segmented label="Value type" small value={config.valueType} options={TYPES} onChange={(valueType) => update({ valueType })} />
        </FormLine>
      </FormSection>
      {config.valueType === "number" && (
        <FormSection title="Display">
          <DisplayFields display={config.display} onChange={(display) => update({ display })} />
        </FormSection>
      )}
    </>
  );
}
