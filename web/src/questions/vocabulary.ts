import { OWN_KEYS, propertyKey } from "../scope/propertyKey.ts";
import { type Offer, breakdownOffer, columnsOf, eventOffer, keyOffer, numberOffer } from "../widgets/names.ts";
import type { Choice } from "./phrases.ts";
import type { LineNames } from "./question.ts";
import { writeName } from "./language.ts";

/** Names of one sort that a line can use. */
export interface NameList {
  /** Whether a name was ever sent or saved, or nobody knows yet. */
  isSeen: (name: string) => boolean;
  /** There are no others, not even in quotes. */
  isClosed?: boolean;
  choices: readonly Choice[];
}

/** The names that a line can use, by where they may be. */
export interface Vocabulary {
  events: NameList;
  /** What a filter, a distinct count or a funnel that holds a value can be about. */
  keys: NameList;
  breakdowns: NameList;
  /** Properties with numbers. */
  numbers: NameList;
  /** Properties as columns of a table. */
  columns: NameList;
  segments: NameList;
  environments: NameList;
  /** Return the types of the values that a key has had, and some of these values. */
  typesOf: (key: string) => readonly string[];
  examplesOf: (key: string) => readonly unknown[];
  names: LineNames;
}

const vocabularyByNames = new WeakMap<LineNames, Vocabulary>();

/** Return the names of an environment as a line has them. */
export function vocabularyOf(names: LineNames): Vocabulary {
  const vocabulary = vocabularyByNames.get(names) ?? makeVocabulary(names);
  vocabularyByNames.set(names, vocabulary);
  return vocabulary;
}

function makeVocabulary(names: LineNames): Vocabulary {
  const propertyByKey = new Map(names.properties.map((property) => [propertyKey(property.key), property]));
  const propertyOf = (key: string) => propertyByKey.get(key) ?? propertyByKey.get(key.replace(/^prop:/, ""));
  const columns = columnsOf(names).filter(({ value }) => value.startsWith("prop:"));
  return {
    events: listOf(eventOffer(names)),
    keys: listOf(withoutFields(keyOffer(names))),
    breakdowns: listOf(withoutFields(breakdownOffer(names))),
    numbers: listOf(numberOffer(names)),
    columns: listOf({
      options: columns.map(({ label = "", ...column }) => ({ ...column, value: label })),
      textJudge: (text) => keyOffer(names).textJudge(`prop:${text}`),
    }),
    segments: savedList(names.segments.map(({ name }) => name)),
    environments: savedList(names.environments.map(({ name }) => name)),
    typesOf: (key) => propertyOf(key)?.types ?? [],
    examplesOf: (key) => propertyOf(key)?.examples ?? [],
    names,
  };
}

/** The fields of an event and its group have words of the language. */
const withoutFields = ({ options, textJudge }: Offer): Offer => ({
  options: options.filter(({ value }) => !OWN_KEYS.has(value) && value !== "_group"),
  textJudge,
});

const listOf = ({ options, textJudge }: Offer): NameList => ({
  isSeen: (name) => textJudge(name) === "taken",
  choices: options.map(({ value, detail }) => ({ text: writeName(value), detail })),
});

const savedList = (savedNames: readonly string[]): NameList => ({
  isSeen: (name) => savedNames.includes(name),
  isClosed: true,
  choices: savedNames.map((name) => ({ text: writeName(name) })),
});
