import { tokensOf } from "./tokens.ts";

/** What may be at a place of a line, as it is written there. */
export interface Choice {
  text: string;
  /** A muted word beside it: a type, a count. */
  detail?: string | undefined;
}

/** Words that mean a value: the first phrase is the one that a line is written with. */
export type PhraseRow<Value> = readonly [value: Value, ...phrases: [string, ...string[]]];

/** The phrases of one table of the language. */
export interface Phrases<Value> {
  /** What each phrase means, the longest first. */
  meanings: readonly { words: readonly string[]; value: Value }[];
  /** The phrase of each value that a line is written with. */
  choices: readonly Choice[];
  /** Return the phrase of a value; "" if the table does not have it. */
  write: (value: unknown) => string;
}

/** Return a table of the language. */
export function phrasesOf<const Value>(...rows: readonly PhraseRow<Value>[]): Phrases<Value> {
  const meanings = rows.flatMap(([value, ...phrases]) => phrases.map((phrase) => ({ words: tokensOf(phrase).map(({ text }) => text), value })));
  const textByValue = new Map<unknown, string>(rows.map(([value, phrase]) => [value, phrase]));
  return {
    meanings: meanings.toSorted((one, other) => other.words.length - one.words.length),
    choices: rows.map(([, text]) => ({ text })),
    write: (value) => textByValue.get(value) ?? "",
  };
}

/** Return the part of a table that has some of its values. */
export function subsetOf<Value>({ meanings, write }: Phrases<Value>, isIncluded: (value: Value) => boolean): Pick<Phrases<Value>, "meanings" | "choices"> {
  const included = meanings.filter(({ value }) => isIncluded(value));
  return { meanings: included, choices: [...new Set(included.map(({ value }) => write(value)))].map((text) => ({ text })) };
}
