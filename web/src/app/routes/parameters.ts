import { type ScopeSearch, oneOf, scopeSearch } from "../../scope/search.ts";

/** The search of an address, as it was parsed. */
export type Raw = Record<string, unknown>;

type Readers = Record<string, (value: unknown) => unknown>;
type Taken<Named extends Readers> = { [Name in keyof Named]?: Exclude<ReturnType<Named[Name]>, undefined> };

/** Take the parameters of a page out of a raw search, each by its reader; what is malformed is left out. */
export const withParameters =
  <Named extends Readers>(readers: Named) =>
  (raw: Raw): Taken<Named> => {
    const values = Object.entries(readers).map(([name, read]) => [name, read(raw[name])]);
    return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Taken<Named>;
  };

/** The same with the scope, which every page about data has. */
export const withScope =
  <Named extends Readers>(readers: Named) =>
  (raw: Raw): ScopeSearch & Taken<Named> => ({ ...scopeSearch(raw), ...withParameters(readers)(raw) });

/** Return a reader that takes some words only. */
export const anyOf =
  <Word extends string>(...words: readonly Word[]) =>
  (value: unknown): Word | undefined => oneOf(value, words);
