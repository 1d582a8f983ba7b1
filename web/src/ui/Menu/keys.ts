/**
 * Return the item of a menu that a key leads to: arrows go around, Home and End to the ends, a letter to the next
 * item that begins with it. Null where the key leads nowhere.
 *
 * @param key - as a key press names it.
 * @param labels - of the items that can be chosen.
 * @param focusedIndex - the item that has the focus; -1 for none.
 */
export function nextItemIndex(key: string, labels: readonly string[], focusedIndex: number): number | null {
  if (labels.length === 0) return null;
  switch (key) {
    case "ArrowDown":
      return (focusedIndex + 1) % labels.length;
    case "ArrowUp":
      return (Math.max(focusedIndex, 0) + labels.length - 1) % labels.length;
    case "Home":
      return 0;
    case "End":
      return labels.length - 1;
    default:
      return key.length === 1 && key !== " " ? nextIndexByLetter(key, labels, focusedIndex) : null;
  }
}

function nextIndexByLetter(letter: string, labels: readonly string[], focusedIndex: number): number | null {
  const prefix = letter.toLowerCase();
  const order = labels.map((_, step) => (focusedIndex + 1 + step) % labels.length);
  return order.find((index) => labels[index]?.toLowerCase().startsWith(prefix)) ?? null;
}
