import { CircleAlert } from "lucide-react";
import { useId } from "react";
import type { Condition, Measure, Severity } from "../../api/alerts.ts";
import { minutesInWords } from "../../core/durations.ts";
import { formatExact } from "../../core/numbers.ts";
import { filterInWords } from "../../scope/filters.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Sentence, Together } from "../../ui/Tokens/Sentence.tsx";
import { TokenCombobox, TokenForm, TokenSelect, TokenText } from "../../ui/Tokens/tokens.tsx";
import { FilterList } from "../../widgets/FilterList.tsx";
import { SegmentField } from "../../widgets/SegmentField.tsx";
import { MEASURE_WORDS } from "../../widgets/choices.ts";
import { eventOffer, measuredOffer, propertyFor } from "../../widgets/names.ts";
import { takesProperty } from "../../widgets/words.ts";
import { FormulaTokens } from "./FormulaTokens.tsx";
import styles from "./RuleSentence.module.css";
import { CONDITIONS, SEVERITIES, windowChoices } from "./choices.ts";
import { type Complaints, type DraftField, type TokenParts, switchFormula } from "./draft.ts";
import type { RarerLimit } from "./rarerLimit.ts";
import type { LimitAdvice } from "./useLimitAdvice.ts";

/** Names of fields for which the sentence itself has a token. */
const TOKEN_FIELDS: readonly DraftField[] = ["environment", "event", "property", "filters", "formula", "segmentId", "threshold"];

export interface RuleSentenceProps extends Omit<TokenParts, "complaintIdOf"> {
  complaints: Complaints;
  /** What the past says of the threshold; null if none was ever suggested. */
  limitAdvice: LimitAdvice | null;
  onLimit: (limit: number) => void;
}

/** A rule as a sentence of tokens, each of which is a field; what is wrong with one is said below. */
export function RuleSentence({ draft, onChange, names, complaints, limitAdvice, onLimit }: RuleSentenceProps) {
  const idPrefix = useId();
  const complaintFields = TOKEN_FIELDS.filter((field) => complaints[field] !== undefined);
  const complaintIdOf = (field: DraftField) => (complaints[field] === undefined ? undefined : `${idPrefix}-${field}`);
  const tokenProps = { draft, onChange, names, complaintIdOf };
  return (
    <section className={styles.card} aria-label="Rule">
      <Sentence>
        {draft.isFormula ? <FormulaTokens {...tokenProps} /> : <MeasureTokens {...tokenProps} />}{" "}
        <FilterToken {...tokenProps} />{" "}
        <Together>
          in{" "}
          <TokenSelect
            label="Window"
            value={String(draft.windowMinutes)}
            options={windowChoices(draft.windowMinutes)}
            onChange={(minutes) => onChange({ windowMinutes: Number(minutes) })}
          />
        </Together>{" "}
        <ConditionTokens {...tokenProps} />{" "}
        <Together>
          it is{" "}
          <TokenSelect label="Severity" value={draft.severity} options={SEVERITIES} onChange={(severity) => onChange({ severity: severity as Severity })} />
          .
        </Together>
      </Sentence>
      {complaintFields.map((field) => (
        <p key={field} id={`${idPrefix}-${field}`} className={styles.complaint}>
          <CircleAlert size={14} strokeWidth={1.6} aria-hidden="true" />
          {complaints[field]}
        </p>
      ))}
      {limitAdvice ? <p className={styles.note}>{limitAdvice.note}</p> : null}
      <div className={styles.other}>
        {limitAdvice?.rarerLimit ? <RarerLimitButton rarerLimit={limitAdvice.rarerLimit} onLimit={onLimit} /> : null}
        <Button small variant="quiet" onClick={() => onChange(switchFormula(draft))}>
          {draft.isFormula ? "Watch one measure" : "Watch a formula"}
        </Button>
      </div>
    </section>
  );
}

function RarerLimitButton({ rarerLimit: { limit, frequency }, onLimit }: { rarerLimit: RarerLimit; onLimit: (limit: number) => void }) {
  return (
    <Button small onClick={() => onLimit(limit)}>
      Use {formatExact(limit)}: {frequency}
    </Button>
  );
}

function MeasureTokens({ draft, onChange, names, complaintIdOf }: TokenParts) {
  const changeMeasure = (measure: Measure) => {
    const property = takesProperty(measure) ? propertyFor(measure, draft.property, names) : draft.property;
    onChange({ measure, property });
  };
  return (
    <>
      When the{" "}
      <TokenSelect
        label="Measure"
        value={draft.measure}
        options={MEASURE_WORDS}
        onChange={(measure) => changeMeasure(measure as Measure)}
      />{" "}
      {takesProperty(draft.measure) ? (
        <>
          {draft.measure === "uniq" || draft.measure === "min" || draft.measure === "max" ? "" : "of "}
          <TokenCombobox
            label="Property"
            value={draft.property}
            {...measuredOffer(draft.measure, names)}
            placeholder="property"
            complaintId={complaintIdOf("property")}
            onChange={(property) => onChange({ property })}
          />{" "}
        </>
      ) : null}
      <Together>
        of{" "}
        <TokenCombobox
          label="Event"
          value={draft.event}
          {...eventOffer(names)}
          placeholder="event"
          complaintId={complaintIdOf("event")}
          onChange={(event) => onChange({ event })}
        />
      </Together>
    </>
  );
}

/** Which events count: filters, and a segment of the environment. The parts of a formula have filters of their own. */
function FilterToken({ draft, onChange, names, complaintIdOf }: TokenParts) {
  const { filters, segmentId, isFormula } = draft;
  const segmentName = names.segments.find(({ id }) => id === segmentId)?.name ?? "deleted segment";
  const conditionTexts = [...(isFormula ? [] : filters.map(filterInWords)), ...(segmentId === null ? [] : [`segment ${segmentName}`])];
  return (
    <TokenForm
      label="Filters"
      text={conditionTexts.join(" and ") || (isFormula ? "every event" : "+ filter")}
      isEmpty={conditionTexts.length === 0}
      complaintId={complaintIdOf("filters") ?? complaintIdOf("segmentId")}
    >
      {isFormula ? null : <FilterList filters={filters} names={names} onChange={(next) => onChange({ filters: next })} />}
      <SegmentField segmentId={segmentId} names={names} onChange={(next) => onChange({ segmentId: next })} />
    </TokenForm>
  );
}

function ConditionTokens({ draft, onChange, complaintIdOf }: TokenParts) {
  const { condition, threshold, windowMinutes } = draft;
  const hasThreshold = condition !== "nodata";
  const isChange = condition === "rises" || condition === "drops";
  const comparisonText = isChange ? ` vs. the previous ${minutesInWords(windowMinutes)}` : condition === "anomaly" ? " standard deviations" : "";
  // A comma stays on the line of what it follows.
  return (
    <>
      <Together>
        is{" "}
        <TokenSelect label="Condition" value={condition} options={CONDITIONS} onChange={(nextCondition) => onChange({ condition: nextCondition as Condition })} />
        {hasThreshold ? "" : ","}
      </Together>
      {hasThreshold ? (
        <>
          {" "}
          <Together>
            <TokenText label="Threshold" isNumeric value={threshold} complaintId={complaintIdOf("threshold")} onChange={(text) => onChange({ threshold: text, isLimitTyped: true })} />
            {isChange ? " %" : ""}
            {comparisonText === "" ? "," : ""}
          </Together>
          {comparisonText === "" ? "" : `${comparisonText},`}
        </>
      ) : null}
    </>
  );
}
