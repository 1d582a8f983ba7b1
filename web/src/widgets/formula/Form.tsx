import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { SwitchField } from "../../ui/Field/SwitchField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { BreakdownFields } from "../BreakdownFields.tsx";
import { CompareField } from "../CompareField.tsx";
import type { Configs, FormProps } from "../definition.ts";
import { DisplayFields, GoodField } from "../DisplayFields.tsx";
import { FilterList } from "../FilterList.tsx";
import { FormActions, FormSection } from "../FormSection.tsx";
import { IntervalField } from "../IntervalField.tsx";
import { MeasureFields } from "../MeasureFields.tsx";
import { anotherEvent } from "../names.ts";
import { SegmentField } from "../SegmentField.tsx";
import { eventsFieldOf } from "../words.ts";

type Config = Configs["formula"];

const LETTERS = ["a", "b", "c", "d"] as const;

/** What a formula asks: its parts, and the arithmetic with them. */
export function Form({ config, onChange, names }: FormProps<"formula">): ReactNode {
  const update = (change: Partial<Config>): void => onChange(withoutRefused({ ...config, ...change }));
  const usedLetters = LETTERS.filter((letter) => config[letter]);
  const nextLetter = LETTERS[usedLetters.length];
  const lastLetter = usedLetters.at(-1);
  const { breakdown = null, overTime = false } = config;
  const isRanked = breakdown !== null && !overTime;
  return (
    <>
      {usedLetters.map((letter) => (
        <FormSection
          key={letter}
          title={letter}
          aside={
            letter === lastLetter && letter !== "a" ? (
              <Button variant="quiet" small onClick={() => update({ [letter]: null, expression: withoutPart(config.expression, letter) })}>
                Remove {letter}
              </Button>
            ) : null
          }
        >
          <PartFields part={config[letter] ?? config.a} names={names} label={`Filters for ${letter}`} onChange={(part) => update({ [letter]: part })} />
        </FormSection>
      ))}
      <FormSection>
        {nextLetter && (
          <FormActions>
            <Button small icon={Plus} onClick={() => update({ [nextLetter]: { ...eventsFieldOf(anotherEvent(names, usedLetters.map((letter) => config[letter] ?? config.a))), measure: config.a.measure, property: config.a.property ?? null }, expression: `${config.expression} + ${nextLetter}` })}>
              Measure {nextLetter}
            </Button>
          </FormActions>
        )}
        <TextField
          label="Expression"
          hint={`Use measures, numbers, + - * / and parentheses, e.g. ${usedLetters.length > 1 ? "a / b * 100" : "a * 100"}.`}
          value={config.expression}
          maxLength={200}
          spellCheck={false}
          onChange={(expression) => update({ expression })}
        />
      </FormSection>
      <FormSection>
        <BreakdownFields breakdown={breakdown} limit={config.limit} names={names} onChange={update} />
        <SegmentField segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />
      </FormSection>
      <FormSection title="Display">
        <SwitchField atEnd label="Over time" checked={overTime} onChange={(isOn) => update({ overTime: isOn })} />
        {overTime && <IntervalField interval={config.interval} onChange={(interval) => update({ interval })} />}
        {!isRanked && <CompareField compare={config.compare} fallback={overTime ? "none" : "previous"} onChange={(compare) => update({ compare })} />}
        {!isRanked && <GoodField good={config.display?.good} onChange={(good) => update({ display: { ...config.display, good } })} />}
        <DisplayFields display={config.display} hasChart={overTime} hasGoal={!isRanked} onChange={(display) => update({ display })} />
      </FormSection>
    </>
  );
}

interface PartFieldsProps {
  part: Config["a"];
  names: FormProps<"formula">["names"];
  label: string;
  onChange: (part: Config["a"]) => void;
}

function PartFields({ part, names, label, onChange }: PartFieldsProps): ReactNode {
  return (
    <>
      <MeasureFields measurement={part} names={names} onChange={(measurement) => onChange({ ...part, ...measurement })} />
      <FilterList label={label} filters={part.filters ?? []} names={names} onChange={(filters) => onChange({ ...part, filters })} />
    </>
  );
}

/** Take back what adding a part has written; any other use of it is for the author to mend. */
function withoutPart(expression: string, letter: string): string {
  const addedText = ` + ${letter}`;
  return expression.endsWith(addedText) ? expression.slice(0, -addedText.length) : expression;
}

/** Leave out what the API refuses: a comparison of a ranked list. */
function withoutRefused(config: Config): Config {
  const { breakdown = null, overTime = false } = config;
  return { ...config, ...(breakdown !== null && !overTime ? { compare: null } : {}), ...(overTime ? {} : { interval: null }) };
}
