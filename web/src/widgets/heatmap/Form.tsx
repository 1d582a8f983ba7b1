import type { ReactNode } from "react";
import { zoneJudge, zonesWith } from "../../scope/zones.ts";
import { Sentence, Together } from "../../ui/Tokens/Sentence.tsx";
import { TokenCombobox } from "../../ui/Tokens/tokens.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { EventToken, FilterTokens, SegmentToken } from "../questionTokens.tsx";

type Config = Configs["heatmap"];

/** What a heat map asks, as a sentence. */
export function Form({ config, onChange, names, timeRangeToken }: FormProps<"heatmap">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  return (
    <>
      <Sentence isLarge>
        Show the hours of <EventToken selection={config} names={names} onChange={update} />{" "}
        <FilterTokens filters={config.filters ?? []} names={names} onChange={(filters) => update({ filters })} />{" "}
        <SegmentToken segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />{" "}
        <Together>over {timeRangeToken}</Together>{" "}
        <Together>
          in{" "}
          <TokenCombobox
            label="Time zone"
            placeholder="the workspace's time zone"
            isEmpty={!config.timezone}
            value={config.timezone ?? ""}
            options={zonesWith(config.timezone ?? "").map((value) => ({ value }))}
            textJudge={zoneJudge}
            onChange={(zone) => update({ timezone: zone === "" ? null : zone })}
          />
        </Together>
      </Sentence>
    </>
  );
}
