import { expect, test } from "vitest";
import { type DeletedCard, afterReturn, withCardBack, withDeleted } from "./deletedCards.ts";

/** Delete cards one after the other, then bring them back in another order; each gets a new id. */
function orderAfter(ids: string[], deletions: string[], returns: string[]): string[] {
  let order: readonly string[] = ids;
  let cards: DeletedCard[] = [];
  for (const id of deletions) {
    cards = [...cards, { id, order: withDeleted(order, cards) }];
    order = order.filter((cardId) => cardId !== id);
  }
  for (const id of returns) {
    const card = cards.find((candidate) => candidate.id === id);
    if (card) order = withCardBack(order, card).map((cardId) => (cardId === id ? `${id}'` : cardId));
    cards = afterReturn(cards, id, `${id}'`);
  }
  return order.map((id) => id.replace("'", ""));
}

test.each([
  [["b"], ["b"]],
  [["a"], ["a"]],
  [["b", "c"], ["b", "c"]],
  [["b", "c"], ["c", "b"]],
  [["c", "b"], ["b", "c"]],
  [["a", "b", "c", "d"], ["d", "a", "c", "b"]],
  [["d", "b", "a", "c"], ["a", "d", "b", "c"]],
])("cards deleted as %j come back to their places as %j", (deletions, returns) => {
  expect(orderAfter(["a", "b", "c", "d"], deletions, returns)).toEqual(["a", "b", "c", "d"]);
});

test("a card comes back behind its neighbor, where that has moved to", () => {
  expect(withCardBack(["c", "a"], { id: "b", order: ["a", "b", "c"] })).toEqual(["c", "a", "b"]);
});
