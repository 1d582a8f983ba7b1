/** The cards of a dashboard while somebody arranges them. */
export interface Order {
  ids: string[];
  /** The card that is held by the keyboard, and the order before it was taken. */
  held: { id: string; before: string[] } | null;
}

export type OrderAction =
  | { type: "grab"; id: string }
  | { type: "move"; by: number }
  | { type: "drop" }
  | { type: "cancel" }
  | { type: "set"; ids: string[] };

/** Return the order after an action. A card that is not held does not move. */
export function reorder(order: Order, action: OrderAction): Order {
  const { ids, held } = order;
  switch (action.type) {
    case "grab":
      return { ids, held: { id: action.id, before: ids } };
    case "move":
      return held ? { ids: moved(ids, held.id, ids.indexOf(held.id) + action.by), held } : order;
    case "drop":
      return { ids, held: null };
    case "cancel":
      return { ids: held?.before ?? ids, held: null };
    case "set":
      return { ids: action.ids, held: null };
  }
}

/** Return the ids with one of them at another place; beyond the ends is at the end. */
export function moved(ids: string[], id: string, place: number): string[] {
  const others = ids.filter((each) => each !== id);
  const at = Math.max(0, Math.min(place, others.length));
  return ids.includes(id) ? others.toSpliced(at, 0, id) : ids;
}

/** The columns that a card can take, of twelve. */
export const WIDTHS = [3, 4, 6, 8, 12];

/** Return the next width above a width, or below it; at an end, that one. */
export function resized(width: number, by: 1 | -1): number {
  const wider = by > 0 ? WIDTHS.find((each) => each > width) : WIDTHS.findLast((each) => each < width);
  return wider ?? width;
}
