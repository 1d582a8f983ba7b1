/** Return the first letters of the first and the last word, in capitals: "Ada King" is AK. */
export function initials(name: string): string {
  const words = name.trim().split(/[\s.@_-]+/).filter(Boolean);
  const [first] = words;
  const last = words.length > 1 ? words.at(-1) : undefined;
  return [first, last].map((word) => [...(word ?? "")][0] ?? "").join("").toLocaleUpperCase("en");
}
