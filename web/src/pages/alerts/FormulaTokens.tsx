import { Plus } from "lucide-react";
import type { AlertFormula } from "../../api/alerts.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { FilterList } from "../../widgets/FilterList.tsx";
import { MeasureFields } from "../../widgets/MeasureFields.tsx";
import type { Names } from "../../widgets/definition.ts";
import { anotherEvent } from "../../widgets/names.ts";
import { eventsFieldOf, measureInWords } from "../../widgets/words.ts";
import { TokenForm } from "./TokenForm.tsx";
import { TokenText } from "./TokenText.tsx";
import type { TokenParts } from "./tokenParts.ts";

type Part = AlertFormula["a"];

const LETTERS = ["a", "b", "c", "d"] as const;
const MAX_LENGTH = 200;

/** The arithmetic of a formula, and what each of its letters stands for. */
export function FormulaTokens({ draft, onChange, names, about }: TokenParts) {
  const { formula } = draft;
  if (!formula) return null;
  const update = (change: Partial<AlertFormula>) => onChange({ formula: { ...formula, ...change } });
  const used = LETTERS.filter((letter) => formula[letter]);
  const next = LETTERS[used.length];
  const last = used.at(-1);
  return (
    <>
      When{" "}
      <TokenText
        label="Formula"
        value={formula.expression}
        maxLength={MAX_LENGTH}
        complaint={about("formula")}
        onChange={(expression) => update({ expression })}
      />
      , where{" "}
      {used.map((letter) => {
        const part = formula[letter] ?? formula.a;
        return (
          <span key={letter}>
            {letter} is{" "}
            <TokenForm label={`Measure ${letter}`} words={wordsOf(part)}>
              <MeasureFields measurement={part} names={names} onChange={(measurement) => update({ [letter]: { ...part, ...measurement } })} />
              <FilterList
                label={`Filters of ${letter}`}
                filters={part.filters ?? []}
                names={names}
                onChange={(filters) => update({ [letter]: { ...part, filters } })}
              />
              {letter === last && letter !== "a" ? (
                <Button small variant="quiet" onClick={() => update({ [letter]: null })}>
                  Remove {letter}
                </Button>
              ) : null}
            </TokenForm>
            {letter === last ? "" : ", "}
          </span>
        );
      })}{" "}
      {next ? (
        <Button small variant="quiet" icon={Plus} aria-label={`Add ${next}`} onClick={() => update({ [next]: partAfter(formula, used, names) })}>
          {next}
        </Button>
      ) : null}{" "}
      over
    </>
  );
}

/** Return what a further letter begins with: the measure of the first one, of an event that no letter has. */
function partAfter(formula: AlertFormula, used: readonly (typeof LETTERS)[number][], names: Names): Part {
  const { measure, property = null } = formula.a;
  return { ...eventsFieldOf(anotherEvent(names, used.map((letter) => formula[letter] ?? formula.a))), measure, property };
}

function wordsOf(part: Part): string {
  const words = measureInWords(part);
  return (part.filters ?? []).length > 0 ? `${words}, filtered` : words;
}
