import type { SyntheticEvent } from "react";

/**
 * Return whether an event is about the element that listens, and not about one inside it.
 *
 * In the DOM toggle events do not bubble; in React they do, so the list of a field would speak for its popover.
 */
export function isOwn({ target, currentTarget }: SyntheticEvent): boolean {
  return target === currentTarget;
}
