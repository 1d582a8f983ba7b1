import type { ReactNode } from "react";
import type { components } from "../api/schema.gen.ts";
import { FilterField, type FilterFieldProps } from "../scope/filterField/FilterField.tsx";
import { Together } from "../ui/Tokens/Sentence.tsx";
import { TokenCombobox, TokenSelect, TokenText } from "../ui/Tokens/tokens.tsx";
import { COMPARISON_WORDS, MEASURE_WORDS } from "./choices.ts";
import type { Names } from "./definition.ts";
import { ALL_EVENTS, type EventSelection, type Measurement, breakdownOffer, eventOffer, measuredOffer, selectionOfName, selectionOfText, withMeasure } from "./names.ts";
import styles from "./questionTokens.module.css";
import { type AskedEvents, type Measure, type MeasuredEvents, compareOfChoice, comparisonChoice, takesProperty } from "./words.ts";

const MAX_EVENTS_LENGTH = 2_000;

interface EventTokenProps {
  selection: AskedEvents;
  onChange: (selection: EventSelection) => void;
  names: Names;
}

/** The events of a question: one of a list, all, or several, separated by commas, as the API takes them. */
export function EventToken({ selection: { event, events }, onChange, names }: EventTokenProps): ReactNode {
  if (Array.isArray(events)) {
    return <TokenText label="Event" maxLength={MAX_EVENTS_LENGTH} value={events.join(", ")} onChange={(text) => onChange(selectionOfText(text))} />;
  }
  const { options, textJudge } = eventOffer(names);
  return (
    <TokenCombobox
      label="Event"
      placeholder={ALL_EVENTS}
      value={event ?? ALL_EVENTS}
      options={[{ value: ALL_EVENTS }, ...options]}
      textJudge={textJudge}
      onChange={(name) => onChange(selectionOfName(name))}
    />
  );
}

interface MeasureTokensProps {
  measurement: MeasuredEvents;
  onChange: (measurement: Measurement) => void;
  names: Names;
}

/** What is measured: "[95th percentile] of [latency_ms] of [track.play]". */
export function MeasureTokens({ measurement, onChange, names }: MeasureTokensProps): ReactNode {
  const { event = null, events = null, measure, property = null } = measurement;
  const currentMeasurement = { event, events, measure, property };
  return (
    <>
      <TokenSelect label="Measure" value={measure} options={MEASURE_WORDS} onChange={(choice) => onChange(withMeasure(measurement, choice as Measure, names))} />{" "}
      {takesProperty(measure) && (
        <>
          <Together>
            of{" "}
            <TokenCombobox
              label="Property"
              placeholder="property"
              value={property ?? ""}
              {...measuredOffer(measure, names)}
              onChange={(nextProperty) => onChange({ ...currentMeasurement, property: nextProperty })}
            />
          </Together>{" "}
        </>
      )}
      <Together>
        of <EventToken selection={measurement} names={names} onChange={(selection) => onChange({ ...currentMeasurement, ...selection })} />
      </Together>
    </>
  );
}

interface BreakdownTokenProps {
  breakdown: string | null;
  onChange: (breakdown: string | null) => void;
  names: Names;
}

/** The key by which a measure is split: "by [plan]". */
export function BreakdownToken({ breakdown, onChange, names }: BreakdownTokenProps): ReactNode {
  return (
    <Together>
      by{" "}
      <TokenCombobox
        label="Break down by"
        placeholder="nothing"
        isEmpty={breakdown === null}
        value={breakdown ?? ""}
        {...breakdownOffer(names)}
        onChange={(key) => onChange(key === "" ? null : key)}
      />
    </Together>
  );
}

interface FilterTokensProps extends Pick<FilterFieldProps, "filters" | "onChange" | "label"> {
  names: Names;
}

/** Which events count: "where [plan is plus]". */
export function FilterTokens({ names, ...fieldProps }: FilterTokensProps): ReactNode {
  return (
    <Together>
      where{" "}
      <span className={styles.filters}>
        <FilterField {...fieldProps} environment={names.environment} />
      </span>
    </Together>
  );
}

type Compare = components["schemas"]["MetricConfig"]["compare"];

interface CompareTokenProps {
  compare: Compare | undefined;
  /** What counts if the config leaves it open: one number is compared with the period before, a chart with nothing. */
  fallback: "none" | "previous";
  onChange: (compare: NonNullable<Compare>) => void;
}

/** With which other period an answer is compared: "against [the previous period]". */
export function CompareToken({ compare, fallback, onChange }: CompareTokenProps): ReactNode {
  const choice = comparisonChoice(compare, fallback);
  return (
    <Together>
      against{" "}
      <TokenSelect label="Compare with" isEmpty={choice === "none"} value={choice} options={COMPARISON_WORDS} onChange={(nextChoice) => onChange(compareOfChoice(nextChoice))} />
    </Together>
  );
}

interface SegmentTokenProps {
  segmentId: string | null | undefined;
  onChange: (segmentId: string | null) => void;
  names: Names;
}

/** The segment whose filters are added to those of the question, "in [everybody]"; nothing where there is none to choose. */
export function SegmentToken({ segmentId, onChange, names }: SegmentTokenProps): ReactNode {
  const segments = names.segments.map(({ id, name }) => ({ value: id, label: name }));
  const isDeleted = segmentId && !segments.some(({ value }) => value === segmentId);
  const options = [{ value: "", label: "everybody" }, ...segments, ...(isDeleted ? [{ value: segmentId, label: "a deleted segment" }] : [])];
  if (options.length === 1) return null;
  return (
    <Together>
      in <TokenSelect label="Segment" isEmpty={!segmentId} value={segmentId ?? ""} options={options} onChange={(id) => onChange(id === "" ? null : id)} />
    </Together>
  );
}
