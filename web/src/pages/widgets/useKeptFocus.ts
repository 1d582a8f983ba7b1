import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

const FOCUSABLE = "input:enabled, select:enabled, textarea:enabled, button:enabled, summary";

/** An element with its place in its parent. */
interface Place {
  parent: Element;
  index: number;
}

/**
 * Keep the focus in a form whose parts can be removed: if what has the focus goes with its part, the part that takes its
 * place gets it.
 */
export function useKeptFocus(formRef: RefObject<HTMLElement | null>): void {
  const focusRef = useRef<{ element: Element; places: Place[] }>(null);
  useEffect(() => {
    const form = formRef.current;
    const noteFocus = ({ target }: FocusEvent) => {
      if (form && target instanceof Element) focusRef.current = { element: target, places: placesOf(target, form) };
    };
    form?.addEventListener("focusin", noteFocus);
    return () => form?.removeEventListener("focusin", noteFocus);
  }, [formRef]);
  // After every rendering, because any of them may remove something.
  useLayoutEffect(() => {
    const focus = focusRef.current;
    if (!focus || focus.element.isConnected || document.activeElement !== document.body) return;
    const [successor] = focus.places.filter(({ parent }) => parent.isConnected).flatMap(controlsAt);
    successor?.focus();
  });
}

/** Return the first control of what is now at a place, and the first of all around it; none where there is none. */
function controlsAt({ parent, index }: Place): HTMLElement[] {
  const child = parent.children[Math.min(index, parent.children.length - 1)];
  return [child, parent].flatMap((element) => element?.querySelector<HTMLElement>(FOCUSABLE) ?? []);
}

/** Return the places of an element and of all around it within a form, from the inside out. */
function placesOf(element: Element, form: Element): Place[] {
  const { parentElement: parent } = element;
  if (element === form || !parent) return [];
  return [{ parent, index: [...parent.children].indexOf(element) }, ...placesOf(parent, form)];
}
