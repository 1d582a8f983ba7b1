/** A card that was deleted and may come back. */
export interface DeletedCard {
  id: string;
  /** The cards in their order as it was deleted, with those that were deleted before it. */
  order: readonly string[];
}

/** Return the ids of cards with those that were deleted at their places. */
export function withDeleted(ids: readonly string[], cards: readonly DeletedCard[]): readonly string[] {
  return cards.reduce((order, card) => withCardBack(order, card), ids);
}

/** Return the ids of cards with a deleted one behind the nearest that stood before it. */
export function withCardBack(ids: readonly string[], { id, order }: DeletedCard): readonly string[] {
  const predecessorIds = new Set(order.slice(0, order.indexOf(id)));
  return ids.toSpliced(ids.findLastIndex((cardId) => predecessorIds.has(cardId)) + 1, 0, id);
}

/** Return the deleted cards without one that came back under another id. */
export function afterReturn(cards: readonly DeletedCard[], id: string, newId: string): DeletedCard[] {
  return cards
    .filter((card) => card.id !== id)
    .map((card) => ({ ...card, order: card.order.map((cardId) => (cardId === id ? newId : cardId)) }));
}
