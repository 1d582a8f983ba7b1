import type { ReactNode } from "react";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { Sentence, Together } from "../../ui/Tokens/Sentence.tsx";
import { TokenCombobox, TokenSelect } from "../../ui/Tokens/tokens.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { MoreFields } from "../MoreFields.tsx";
import { eventOffer } from "../names.ts";
import { FilterTokens, SegmentToken } from "../questionTokens.tsx";

type Config = Configs["retention"];

const DEFAULT_PERIOD_COUNT = 8;
const PERIOD_COUNTS = Array.from({ length: 11 }, (_, index) => String(index + 2)).map((value) => ({ value, label: value }));
const GRANULARITIES = [
  { value: "day", label: "days" },
  { value: "week", label: "weeks" },
  { value: "month", label: "months" },
] as const;
const UNITS = [
  { value: "actor", label: "actors" },
  { value: "group", label: "groups" },
] as const;

/** What retention asks: with what newcomers begin, and with what they come back. */
export function Form({ config, onChange, names, timeRangeToken }: FormProps<"retention">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const { returnEvent = null, granularity = "day", count = "actor", periods = DEFAULT_PERIOD_COUNT } = config;
  return (
    <>
      <Sentence isLarge>
        Show how many <TokenSelect label="Count" value={count} options={UNITS} onChange={(unit) => update({ count: unit === "group" ? "group" : "actor" })} />{" "}
        <Together>
          return with{" "}
          <TokenCombobox
            label="Return event"
            placeholder="the same event"
            isEmpty={returnEvent === null}
            value={returnEvent ?? ""}
            {...eventOffer(names)}
            onChange={(event) => update({ returnEvent: event === "" ? null : event })}
          />
        </Together>{" "}
        <FilterTokens label="Filters for the return event" filters={config.returnFilters ?? []} names={names} onChange={(returnFilters) => update({ returnFilters })} />{" "}
        within <TokenSelect label="Periods" value={String(periods)} options={PERIOD_COUNTS} onChange={(periodCount) => update({ periods: Number(periodCount) })} />{" "}
        <TokenSelect
          label="Period"
          value={granularity}
          options={GRANULARITIES}
          onChange={(period) => update({ granularity: GRANULARITIES.find(({ value }) => value === period)?.value ?? "day" })}
        />{" "}
        <Together>
          of their first <TokenCombobox label="Event" placeholder="event" value={config.cohortEvent} {...eventOffer(names)} onChange={(cohortEvent) => update({ cohortEvent })} />
        </Together>{" "}
        <FilterTokens label="Filters for the first event" filters={config.cohortFilters ?? []} names={names} onChange={(cohortFilters) => update({ cohortFilters })} />{" "}
        <SegmentToken segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />{" "}
        <Together>over {timeRangeToken}</Together>
      </Sentence>
      <MoreFields isUsed={config.display?.chart === "line"}>
        <SwitchField atEnd label="Lines" checked={config.display?.chart === "line"} onChange={(isLine) => update({ display: { ...config.display, chart: isLine ? "line" : null } })} />
      </MoreFields>
    </>
  );
}
