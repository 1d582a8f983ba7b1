import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { Sentence, Together } from "../../ui/Tokens/Sentence.tsx";
import { TokenText } from "../../ui/Tokens/tokens.tsx";
import type { Configs, FormProps, Names } from "../definition.ts";
import { DisplayFields, GoodField, isDisplayChosen } from "../DisplayFields.tsx";
import { FormActions, FormNote, FormSection } from "../FormSection.tsx";
import { IntervalField } from "../IntervalField.tsx";
import { DEFAULT_LIMIT, LimitField } from "../LimitField.tsx";
import { MoreFields } from "../MoreFields.tsx";
import { anotherEvent } from "../names.ts";
import { BreakdownToken, CompareToken, FilterTokens, MeasureTokens, SegmentToken } from "../questionTokens.tsx";
import { eventsFieldOf } from "../words.ts";

type Config = Configs["formula"];
type Letter = (typeof LETTERS)[number];

const LETTERS = ["a", "b", "c", "d"] as const;
const MAX_EXPRESSION_LENGTH = 200;

/** What a formula asks: the arithmetic as a sentence, and one for each of its parts. */
export function Form({ config, onChange, names, timeRangeToken }: FormProps<"formula">): ReactNode {
  const update = (change: Partial<Config>): void => onChange(withoutRefused({ ...config, ...change }));
  const usedLetters = LETTERS.filter((letter) => config[letter]);
  const nextLetter = LETTERS[usedLetters.length];
  const lastLetter = usedLetters.at(-1);
  const { breakdown = null, overTime = false } = config;
  const isRanked = breakdown !== null && !overTime;
  return (
    <>
      <FormSection>
        <Sentence isLarge>
          Show{" "}
          <TokenText label="Expression" value={config.expression} maxLength={MAX_EXPRESSION_LENGTH} onChange={(expression) => update({ expression })} />{" "}
          <BreakdownToken breakdown={breakdown} names={names} onChange={(key) => update({ breakdown: key })} />{" "}
          <SegmentToken segmentId={config.segmentId} names={names} onChange={(segmentId) => update({ segmentId })} />{" "}
          <Together>over {timeRangeToken}</Together>{" "}
          {!isRanked && <CompareToken compare={config.compare} fallback={overTime ? "none" : "previous"} onChange={(compare) => update({ compare })} />}
        </Sentence>
        <FormNote>Use measures, numbers, + - * / and parentheses, e.g. {usedLetters.length > 1 ? "a / b * 100" : "a * 100"}.</FormNote>
      </FormSection>
      {usedLetters.map((letter) => (
        <FormSection key={letter} title={letter} hideTitle>
          <PartFields
            letter={letter}
            part={config[letter] ?? config.a}
            names={names}
            onChange={(part) => update({ [letter]: part })}
            onRemove={letter === lastLetter && letter !== "a" ? () => update({ [letter]: null, expression: withoutPart(config.expression, letter) }) : undefined}
          />
        </FormSection>
      ))}
      <FormSection>
        {nextLetter && (
          <FormActions>
            <Button small icon={Plus} onClick={() => update({ [nextLetter]: newPart(config, usedLetters, names), expression: `${config.expression} + ${nextLetter}` })}>
              Measure {nextLetter}
            </Button>
          </FormActions>
        )}
        <MoreFields isUsed={isMoreUsed(config)}>
          {breakdown !== null && <LimitField limit={config.limit ?? DEFAULT_LIMIT} onChange={(limit) => update({ limit })} />}
          {overTime && <IntervalField interval={config.interval} onChange={(interval) => update({ interval })} />}
          {!isRanked && <GoodField good={config.display?.good} onChange={(good) => update({ display: { ...config.display, good } })} />}
          <DisplayFields display={config.display} isOverTime={overTime} hasGoal={!isRanked} onChange={(display) => update({ display })} />
        </MoreFields>
      </FormSection>
    </>
  );
}

interface PartFieldsProps {
  letter: Letter;
  part: Config["a"];
  names: Names;
  onChange: (part: Config["a"]) => void;
  /** Only the last part can be removed, and never the only one. */
  onRemove: (() => void) | undefined;
}

function PartFields({ letter, part, names, onChange, onRemove }: PartFieldsProps): ReactNode {
  return (
    <Sentence>
      {letter} is <MeasureTokens measurement={part} names={names} onChange={(measurement) => onChange({ ...part, ...measurement })} />{" "}
      <FilterTokens label={`Filters for ${letter}`} filters={part.filters ?? []} names={names} onChange={(filters) => onChange({ ...part, filters })} />{" "}
      {onRemove && (
        <Button variant="quiet" small onClick={onRemove}>
          Remove {letter}
        </Button>
      )}
    </Sentence>
  );
}

/** Return what a further letter begins with: the measure of the first one, of an event that no letter has. */
function newPart({ a, ...config }: Config, usedLetters: readonly Letter[], names: Names): Config["a"] {
  const parts = usedLetters.map((letter) => ({ a, ...config })[letter] ?? a);
  return { ...eventsFieldOf(anotherEvent(names, parts)), measure: a.measure, property: a.property ?? null };
}

const isMoreUsed = ({ interval, limit = DEFAULT_LIMIT, display }: Config): boolean =>
  Boolean(interval) || limit !== DEFAULT_LIMIT || isDisplayChosen(display);

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
