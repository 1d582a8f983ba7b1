import type { ReactNode } from "react";
import { Combobox } from "../../ui/Combobox/Combobox.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { TokenCombobox, TokenSelect } from "../../ui/Tokens/tokens.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { FormSection } from "../FormSection.tsx";
import { MoreFields } from "../MoreFields.tsx";
import { keyOffer } from "../names.ts";
import { BreakdownToken, SegmentToken } from "../questionTokens.tsx";
import { ExcludedFields } from "./ExcludedFields.tsx";
import styles from "./Form.module.css";
import { StepRows } from "./StepRows.tsx";
import { WINDOW_OFFER, windowInWords, windowOfText } from "./window.ts";

type Config = Configs["funnel"];

const DEFAULT_WINDOW_HOURS = 168;
const WINDOW_STARTS = [
  { value: "previous", label: "the step before" },
  { value: "first", label: "the first step" },
];
const COUNTS = [
  { value: "actor", label: "actors" },
  { value: "group", label: "groups" },
];

/** What a funnel asks: its steps in their order, how long they may take, and whom it counts. */
export function Form({ config, onChange, names }: FormProps<"funnel">): ReactNode {
  return (
    <>
      <FormSection title="Steps" aside={<span className={styles.hint}>drag to reorder</span>}>
        <StepRows config={config} onChange={onChange} names={names} />
      </FormSection>
      <FormSection>
        <WindowSentence config={config} onChange={onChange} names={names} />
      </FormSection>
      <RareFields config={config} onChange={onChange} names={names} />
    </>
  );
}

/** "Within 7 days of the step before, count actors in everybody, by plan." */
function WindowSentence({ config, onChange, names }: FormProps<"funnel">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  return (
    <div className={styles.sentence}>
      Within{" "}
      <TokenCombobox
        label="Conversion window"
        placeholder="7 days"
        value={windowInWords(config.windowHours ?? DEFAULT_WINDOW_HOURS)}
        {...WINDOW_OFFER}
        onChange={(text) => update({ windowHours: windowOfText(text) ?? DEFAULT_WINDOW_HOURS })}
      />{" "}
      of{" "}
      <TokenSelect
        label="Counted from"
        value={config.windowFrom ?? "previous"}
        options={WINDOW_STARTS}
        onChange={(from) => update({ windowFrom: from === "first" ? "first" : "previous" })}
      />
      , count{" "}
      <TokenSelect label="Count" value={config.count ?? "actor"} options={COUNTS} onChange={(count) => update({ count: count === "group" ? "group" : "actor" })} />{" "}
      <SegmentToken segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />{" "}
      <BreakdownToken breakdown={config.breakdown ?? null} names={names} onChange={(breakdown) => update({ breakdown })} />
    </div>
  );
}

/** What few funnels have. */
function RareFields({ config, onChange, names }: FormProps<"funnel">): ReactNode {
  const update = (change: Partial<Config>): void => onChange({ ...config, ...change });
  const { holding = null, times = false, exclude = [] } = config;
  return (
    <MoreFields isUsed={holding !== null || times || exclude.length > 0}>
      <Combobox
        label="Same value of"
        hint="Every step must have the same value, e.g. an order number."
        placeholder="Nothing"
        value={holding ?? ""}
        {...keyOffer(names)}
        onChange={(key) => update({ holding: key === "" ? null : key })}
      />
      <SwitchField atEnd label="Time between steps" checked={times} onChange={(isOn) => update({ times: isOn })} />
      <ExcludedFields exclusions={exclude} steps={config.steps} names={names} onChange={(exclusions) => update({ exclude: exclusions })} />
    </MoreFields>
  );
}
