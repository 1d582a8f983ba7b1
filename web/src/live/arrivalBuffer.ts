/** Holds back the newest of what arrives and counts all of it. */
export class ArrivalBuffer<Item> {
  /** How many have arrived since the last release, also those that are no longer held. */
  count = 0;
  #heldItems: Item[] = [];
  readonly #maxItems: number;

  constructor(maxItems: number) {
    this.#maxItems = maxItems;
  }

  add(items: Item[]): void {
    this.count += items.length;
    this.#heldItems = [...this.#heldItems, ...items].slice(-this.#maxItems);
  }

  /** Return what is held, oldest first, and begin anew. */
  release(): Item[] {
    const items = this.#heldItems;
    this.#heldItems = [];
    this.count = 0;
    return items;
  }
}
