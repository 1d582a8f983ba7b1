/** Join words of a sentence: "Encore, Quill and Tamber". */
export function listInWords(words: readonly string[]): string {
  const lastWord = words.at(-1) ?? "";
  return words.length < 2 ? lastWord : `${words.slice(0, -1).join(", ")} and ${lastWord}`;
}
