import { type ComboOption, matchingOptions } from "../../ui/Combobox/matches.ts";
import { OPERATORS, type Operator, filterInWords, isAlternatives, takesList, takesValue } from "../filters.ts";
import { valueOfText } from "../filterValues.ts";
import { readFilter, writeValue } from "./filterText.ts";
import { type Parts, type TypesByKey, conditionTexts, keyText, listParts, partsOf, typesOf, unquote } from "./parts.ts";

/** What can be offered to whoever writes a filter. */
export interface FilterOffer {
  keys: readonly ComboOption[];
  types: TypesByKey;
  /** Values of the key of the last condition. */
  values: readonly ComboOption[];
  /** Whole texts that stand for something other than a filter, such as a segment. */
  others: readonly ComboOption[];
}

type ValueParts = Extract<Parts, { stage: "value" }>;

/** The most conditions that a filter can have. */
const MAX_ALTERNATIVES = 10;

/** Return the parts of the condition that is being written at the end of a text; `head` has all text before it. */
export function lastPartsOf(text: string, types: TypesByKey): Parts & { start: string } {
  const lastText = (conditionTexts(text, types).at(-1) ?? "").trimStart();
  return { ...partsOf(lastText, types), start: text.slice(0, text.length - lastText.length) };
}

/**
 * Return what may follow in a text, as options whose values are the text with it: keys, operators or values.
 *
 * Of a saved filter that nobody has changed yet, all values are offered, not only its own.
 */
export function optionsFor(text: string, offer: FilterOffer, isUntouched = false): ComboOption[] {
  const { start, ...parts } = lastPartsOf(text, offer.types);
  const options = optionsOfStage(parts, offer, isUntouched).map((option) => ({ ...option, value: start + option.value }));
  const others = start === "" && parts.stage === "key" ? matchingOptions(offer.others, parts.rest) : [];
  return [...wholeOptions(text, options, offer.types), ...options, ...others, ...alternativeOptions(text, offer.types)];
}

function optionsOfStage(parts: Parts, offer: FilterOffer, isUntouched: boolean): ComboOption[] {
  if (parts.stage === "key") {
    return matchingOptions(offer.keys, parts.rest).map(({ value, label = value, ...option }) => ({ ...option, label, value: `${keyText(value)} `, isBeginning: true }));
  }
  if (parts.stage === "operator") return operatorOptions(parts.head, parts.rest);
  const longerOperators = parts.rest === "" ? [] : operatorOptions(`${keyText(parts.key)} `, `${OPERATORS[parts.op]} ${parts.rest}`);
  return [...valueOptions(parts, offer, isUntouched), ...longerOperators];
}

/** Offer the operators that begin with a text; all of them where there is none. */
function operatorOptions(head: string, text: string): ComboOption[] {
  const operators = (Object.entries(OPERATORS) as [Operator, string][]).filter(([, word]) => word.startsWith(text.toLowerCase()));
  return operators.map(([op, word]) => (takesValue(op) ? { value: `${head}${word} `, label: word, isBeginning: true } : { value: head + word, label: word }));
}

/** Offer values; of an operator that takes several, those that are not in the list yet. */
function valueOptions(parts: ValueParts, { values, types }: FilterOffer, isUntouched: boolean): ComboOption[] {
  const { key, op, head, rest } = parts;
  if (!takesValue(op)) return [];
  const isList = takesList(op);
  const writtenValues = isList ? listParts(rest).filter((part) => part !== "") : [rest];
  const isBehindComma = isList && /,\s*$/.test(rest);
  const chosenValues = isList ? writtenValues.slice(0, isUntouched || isBehindComma ? undefined : -1) : [];
  const query = isUntouched || isBehindComma ? "" : unquote(writtenValues.at(-1) ?? "");
  const otherValues = values.filter(({ value }) => !chosenValues.some((chosenValue) => unquote(chosenValue) === value));
  return matchingOptions(otherValues, query).map(({ value, label = value, ...option }) => {
    const valueText = writeValue({ key, op }, valueOfText(value, typesOf(key, types)), types);
    return { ...option, label, value: head + [...chosenValues, valueText].join(", "), isBeginning: isList };
  });
}

/** Offer a whole filter as it is written, unless one of the options is the same. */
function wholeOptions(text: string, options: readonly ComboOption[], types: TypesByKey): ComboOption[] {
  const wholeText = text.trim();
  const reading = readFilter(wholeText, types);
  if ("refusal" in reading || options.some(({ value, isBeginning = false }) => value === wholeText && !isBeginning)) return [];
  return [{ value: wholeText, label: filterInWords(reading.filter), detail: "add" }];
}

/** Offer a further condition after a whole one. */
function alternativeOptions(text: string, types: TypesByKey): ComboOption[] {
  const reading = readFilter(text.trim(), types);
  if ("refusal" in reading || (isAlternatives(reading.filter) && reading.filter.any.length >= MAX_ALTERNATIVES)) return [];
  return [{ value: `${text.trim()} or `, label: "or …", detail: "another condition", isBeginning: true }];
}
