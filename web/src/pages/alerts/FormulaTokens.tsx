import { Plus } from "lucide-react";
import type { AlertFormula } from "../../api/alerts.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { FilterList } from "../../widgets/FilterList.tsx";
import { MeasureFields } from "../../widgets/MeasureFields.tsx";
import type { Names } from "../../widgets/definition.ts";
import { anotherEvent } from "../../widgets/names.ts";
import { eventsFieldOf, measureInWords } from "../../widgets/words.ts";
import type { TokenParts } from "./draft.ts";
import { TokenForm, TokenText } from "../../ui/Tokens/tokens.tsx";

type FormulaPart = AlertFormula["a"];

const LETTERS = ["a", "b", "c", "d"] as const;
const MAX_FORMULA_LENGTH = 200;

/** The arithmetic of a formula, and what each of its letters stands for. */
export function FormulaTokens({ draft, onChange, names, complaintIdOf }: TokenParts) {
  const { formula } = draft;
  if (!formula) return null;
  const updateFormula = (change: Partial<AlertFormula>) => onChange({ formula: { ...formula, ...change } });
  const usedLetters = LETTERS.filter((letter) => formula[letter]);
  const nextLetter = LETTERS[usedLetters.length];
  const lastLetter = usedLetters.at(-1);
  return (
    <>
      When{" "}
      <TokenText
        label="Formula"
        value={formula.expression}
        maxLength={MAX_FORMULA_LENGTH}
        complaintId={complaintIdOf("formula")}
        onChange={(expression) => updateFormula({ expression })}
      />
      , where{" "}
      {usedLetters.map((letter) => {
        const part = formula[letter] ?? formula.a;
        return (
          <span key={letter}>
            {letter} is{" "}
            <TokenForm label={`Measure ${letter}`} text={partInWords(part)}>
              <MeasureFields measurement={part} names={names} onChange={(measurement) => updateFormula({ [letter]: { ...part, ...measurement } })} />
              <FilterList
                label={`Filters for ${letter}`}
                filters={part.filters ?? []}
                names={names}
                onChange={(filters) => updateFormula({ [letter]: { ...part, filters } })}
              />
              {letter === lastLetter && letter !== "a" ? (
                <Button small variant="quiet" onClick={() => updateFormula({ [letter]: null })}>
                  Remove {letter}
                </Button>
              ) : null}
            </TokenForm>
            {letter === lastLetter ? "" : ", "}
          </span>
        );
      })}{" "}
      {nextLetter ? (
        <Button small variant="quiet" icon={Plus} aria-label={`Add ${nextLetter}`} onClick={() => updateFormula({ [nextLetter]: newPart(formula, usedLetters, names) })}>
          {nextLetter}
        </Button>
      ) : null}{" "}
      over
    </>
  );
}

/** Return what a further letter begins with: the measure of the first one, of an event that no letter has. */
function newPart(formula: AlertFormula, usedLetters: readonly (typeof LETTERS)[number][], names: Names): FormulaPart {
  const { measure, property = null } = formula.a;
  return { ...eventsFieldOf(anotherEvent(names, usedLetters.map((letter) => formula[letter] ?? formula.a))), measure, property };
}

function partInWords(part: FormulaPart): string {
  const words = measureInWords(part);
  return (part.filters ?? []).length > 0 ? `${words}, filtered` : words;
}
