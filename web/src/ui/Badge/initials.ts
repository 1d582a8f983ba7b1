/** Return the first letters of the first and the last word, in capitals: "Ada King" is AK. */
export function initials(name: string): string {
  const words = name.trim().split(/[\s.@_-]+/).filter(Boolean);
  const [firstWord] = words;
  const lastWord = words.length > 1 ? words.at(-1) : undefined;
  return [firstWord, lastWord].map(firstLetter).join("").toLocaleUpperCase("en");
}

function firstLetter(word: string | undefined): string {
  return String.fromCodePoint(...[word?.codePointAt(0)].filter((point) => point !== undefined));
}
