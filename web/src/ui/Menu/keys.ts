/**
 * Return the item of a menu that a key leads to: arrows go around, Home and End to the ends, a letter to the next
 * item that begins with it. Null where the key leads nowhere.
 *
 * @param key - as a key press names it.
 * @param words - of the items that can be chosen.
 * @param at - the item that has the focus; -1 for none.
 */
export function nextItem(key: string, words: readonly string[], at: number): number | null {
  if (words.length === 0) return null;
  switch (key) {
    case "ArrowDown":
      return (at + 1) % words.length;
    case "ArrowUp":
      return (Math.max(at, 0) + words.length - 1) % words.length;
    case "Home":
      return 0;
    case "End":
      return words.length - 1;
    default:
      return key.length === 1 && key !== " " ? nextByLetter(key, words, at) : null;
  }
}

function nextByLetter(letter: string, words: readonly string[], at: number): number | null {
  const prefix = letter.toLowerCase();
  const order = words.map((_, step) => (at + 1 + step) % words.length);
  return order.find((index) => words[index]?.toLowerCase().startsWith(prefix)) ?? null;
}
