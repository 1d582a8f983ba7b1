export interface ComboOption {
  value: string;
  /** What is shown in place of the value. */
  label?: string;
  /** A muted word at the right: a type, a count. */
  detail?: string;
}

/** More than this nobody reads; typing narrows them down. */
export const SHOWN_AT_MOST = 100;

/** Return the options that hold a text, those that begin with it first. An empty text finds all. */
export function matches(options: readonly ComboOption[], text: string): ComboOption[] {
  const sought = text.trim().toLocaleLowerCase("en");
  const places = options.map((option) => ({ option, at: placeIn(option, sought) }));
  const found = places.filter(({ at }) => at >= 0);
  const early = found.filter(({ at }) => at === 0);
  const late = found.filter(({ at }) => at > 0);
  return [...early, ...late].map(({ option }) => option);
}

/** Say how many options there are. */
export function countInWords(count: number): string {
  if (count === 0) return "No matches";
  return count === 1 ? "1 match" : `${count.toLocaleString("en")} matches`;
}

function placeIn({ value, label }: ComboOption, sought: string): number {
  const places = [label, value]
    .map((each) => (each ?? "").toLocaleLowerCase("en").indexOf(sought))
    .filter((at) => at >= 0);
  return places.length > 0 ? Math.min(...places) : -1;
}
