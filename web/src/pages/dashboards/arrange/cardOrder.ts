/** The cards of a dashboard while somebody arranges them. */
export interface CardOrder {
  ids: string[];
  /** The card that is held by the keyboard, and the order before it was taken. */
  grab: { id: string; idsBefore: string[] } | null;
}

export type OrderAction =
  | { type: "grab"; id: string }
  | { type: "move"; step: number }
  | { type: "drop" }
  | { type: "cancel" }
  | { type: "set"; ids: string[] };

/** Return the order after an action. A card that is not held does not move. */
export function reorder(order: CardOrder, action: OrderAction): CardOrder {
  const { ids, grab } = order;
  switch (action.type) {
    case "grab":
      return { ids, grab: { id: action.id, idsBefore: ids } };
    case "move":
      return grab ? { ids: moveId(ids, grab.id, ids.indexOf(grab.id) + action.step), grab } : order;
    case "drop":
      return { ids, grab: null };
    case "cancel":
      return { ids: grab?.idsBefore ?? ids, grab: null };
    case "set":
      return { ids: action.ids, grab: null };
  }
}

/** Return the ids with one of them at another place; beyond the ends is at the end. */
export function moveId(ids: string[], id: string, targetIndex: number): string[] {
  const otherIds = ids.filter((cardId) => cardId !== id);
  const index = Math.max(0, Math.min(targetIndex, otherIds.length));
  return ids.includes(id) ? otherIds.toSpliced(index, 0, id) : ids;
}

/** Return ids in the order that they have in another list; those that it does not have stay last, as they were. */
export function orderedLike(ids: readonly string[], order: readonly string[]): string[] {
  const [orderedIds, otherIds] = [order.filter((id) => ids.includes(id)), ids.filter((id) => !order.includes(id))];
  return [...orderedIds, ...otherIds];
}

/** The columns that a card can take, of twelve. */
const WIDTHS = [3, 4, 6, 8, 12];

/** Return the next width above a width, or below it; at an end, that one. */
export function nextWidth(width: number, direction: 1 | -1): number {
  const candidateWidth = direction > 0 ? WIDTHS.find((candidate) => candidate > width) : WIDTHS.findLast((candidate) => candidate < width);
  return candidateWidth ?? width;
}
