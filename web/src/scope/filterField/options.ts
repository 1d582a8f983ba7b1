import { type ComboOption, matchingOptions } from "../../ui/Combobox/matches.ts";
import { type Filter, OPERATORS, type Operator, partsOfFilter, filterInWords, takesList, takesValue } from "../filters.ts";
import { readValue } from "../filterValues.ts";
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

/** Return the parts of the condition that is being written at the end of a text; `start` is the text before it. */
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
  const wholeText = text.trim();
  const options = optionsOfStage(parts, offer, isUntouched)
    .map((option) => ({ ...option, value: start + option.value }))
    .filter(({ value, isBeginning = false }) => !isBeginning || value !== wholeText);
  const others = start === "" && parts.stage === "key" ? matchingOptions(offer.others, parts.rest) : [];
  return [...wholeOptions(wholeText, options, offer.types), ...options, ...others, ...alternativeOptions(wholeText, offer.types)];
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
    const valueText = writeValue({ key, op }, readValue(value, false, op, typesOf(key, types)), types);
    return { ...option, label, value: head + [...chosenValues, valueText].join(", "), isBeginning: isList };
  });
}

/** Offer a whole filter as it is written, unless one of the options is the same. */
function wholeOptions(wholeText: string, options: readonly ComboOption[], types: TypesByKey): ComboOption[] {
  const filter = knownFilter(wholeText, types);
  if (filter === null || options.some(({ value }) => value === wholeText)) return [];
  return [{ value: wholeText, label: filterInWords(filter), detail: "add" }];
}

/** Offer a further condition after a whole filter. */
function alternativeOptions(wholeText: string, types: TypesByKey): ComboOption[] {
  const filter = knownFilter(wholeText, types);
  if (filter === null || partsOfFilter(filter).length >= MAX_ALTERNATIVES) return [];
  return [{ value: `${wholeText} or `, label: "or …", detail: "another condition", isBeginning: true }];
}

/** Return the filter that a text is; null if it is none, or has a key that was never seen: that one is asked about first. */
function knownFilter(text: string, types: TypesByKey): Filter | null {
  const reading = readFilter(text, types);
  return "filter" in reading && partsOfFilter(reading.filter).every(({ key }) => typesOf(key, types).length > 0) ? reading.filter : null;
}
