import type { ReactNode } from "react";
import { Sentence, Together } from "../../ui/Tokens/Sentence.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { DisplayFields, GoodField, isDisplayChosen } from "../DisplayFields.tsx";
import { FormSelect } from "../FormSection.tsx";
import { IntervalField } from "../IntervalField.tsx";
import { DEFAULT_LIMIT, LimitField } from "../LimitField.tsx";
import { MoreFields } from "../MoreFields.tsx";
import { BreakdownToken, CompareToken, FilterTokens, MeasureTokens, SegmentToken } from "../questionTokens.tsx";
import { displayOf } from "./shape.ts";

type Config = Configs["metric"];

const RESTS = [
  { value: "", label: "Nothing else" },
  { value: "none", label: "Events without a value" },
  { value: "other", label: "All other values" },
  { value: "both", label: "Both" },
];

/** What a metric asks, as a sentence. */
export function Form({ config, onChange, names, timeRangeToken }: FormProps<"metric">): ReactNode {
  const update = (change: Partial<Config>): void => onChange(withoutRefused({ ...config, ...change }));
  const { breakdown = null, overTime = false } = config;
  const isRanked = breakdown !== null && !overTime;
  return (
    <>
      <Sentence isLarge>
        Show <MeasureTokens measurement={config} names={names} onChange={update} />{" "}
        <BreakdownToken breakdown={breakdown} names={names} onChange={(key) => update({ breakdown: key })} />{" "}
        <FilterTokens filters={config.filters ?? []} names={names} onChange={(filters) => update({ filters })} />{" "}
        <SegmentToken segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />{" "}
        <Together>over {timeRangeToken}</Together>{" "}
        {!isRanked && <CompareToken compare={config.compare} fallback={overTime ? "none" : "previous"} onChange={(compare) => update({ compare })} />}
      </Sentence>
      <MoreFields isUsed={isMoreUsed(config)}>
        {breakdown !== null && <LimitField limit={config.limit ?? DEFAULT_LIMIT} onChange={(limit) => update({ limit })} />}
        {breakdown !== null && (
          <FormSelect
            label="Also show"
            value={config.rest ?? ""}
            options={RESTS}
            onChange={(rest) => update({ rest: rest === "none" || rest === "other" || rest === "both" ? rest : null })}
          />
        )}
        {overTime && <IntervalField interval={config.interval} onChange={(interval) => update({ interval })} />}
        {!isRanked && <GoodField good={displayOf(config).good} onChange={(good) => update({ display: { ...config.display, good } })} />}
        <DisplayFields display={displayOf(config)} isOverTime={overTime} hasGoal={!isRanked} onChange={(display) => update({ display, chart: null, goal: null, good: null })} />
      </MoreFields>
    </>
  );
}

const isMoreUsed = (config: Config): boolean =>
  Boolean(config.rest ?? config.interval) || (config.limit ?? DEFAULT_LIMIT) !== DEFAULT_LIMIT || isDisplayChosen(displayOf(config));

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
