import type { ReactNode } from "react";
import { Sentence, Together } from "../../ui/Tokens/Sentence.tsx";
import { TokenSelect, TokenText } from "../../ui/Tokens/tokens.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { DisplayFields, isDisplayChosen } from "../DisplayFields.tsx";
import { FormNote } from "../FormSection.tsx";
import { MoreFields } from "../MoreFields.tsx";

type Config = Configs["external"];

const MAX_URL_LENGTH = 2_000;
const MAX_PATH_LENGTH = 200;
const TYPES = [
  { value: "number", label: "number" },
  { value: "text", label: "text" },
];

/** Where a value of another service is read: "Show the [number] at [stats.stars] of [https://…] from [GitHub]". */
export function Form({ config, onChange, names }: FormProps<"external">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const source = names.sources.find(({ id }) => id === config.sourceId);
  const sources = [{ value: "", label: "choose a source" }, ...names.sources.map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <>
      <Sentence isLarge>
        Show the{" "}
        <TokenSelect label="Value type" value={config.valueType} options={TYPES} onChange={(type) => update({ valueType: type === "text" ? "text" : "number" })} />{" "}
        <Together>
          at{" "}
          <TokenText label="Value path" placeholder="stats.stars" maxLength={MAX_PATH_LENGTH} value={config.valuePath} onChange={(valuePath) => update({ valuePath })} />
        </Together>{" "}
        <Together>
          of{" "}
          <TokenText label="URL" placeholder={`https://${source?.host ?? ""}`} maxLength={MAX_URL_LENGTH} value={config.url} onChange={(url) => update({ url })} />
        </Together>{" "}
        <Together>
          from <TokenSelect label="Source" isEmpty={!source} value={config.sourceId} options={sources} onChange={(sourceId) => update({ sourceId })} />
        </Together>
      </Sentence>
      <FormNote>{hintOf(names.sources.length, source?.host)}</FormNote>
      {config.valueType === "number" && (
        <MoreFields isUsed={isDisplayChosen(config.display)}>
          <DisplayFields display={config.display} onChange={(display) => update({ display })} />
        </MoreFields>
      )}
    </>
  );
}

function hintOf(sourceCount: number, host: string | undefined): string {
  if (sourceCount === 0) return "No sources yet. An admin can add one under Sources.";
  const pathHint = "The path leads to the value in the response, e.g. stats.stars or items.0.name.";
  return host === undefined ? pathHint : `The URL must be on ${host}. ${pathHint}`;
}
