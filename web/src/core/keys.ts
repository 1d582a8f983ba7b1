const TYPED_INTO = "input, textarea, select, [contenteditable=true], [role=combobox], [role=textbox]";

/** Return whether a key press belongs to a field or an open dialog, where single keys are text and not shortcuts. */
export function isTypedInField({ target }: Pick<KeyboardEvent, "target">): boolean {
  return target instanceof Element && (target.closest(TYPED_INTO) !== null || isDialogOpen());
}

/** Return whether something is in front of the page that has to be closed first. */
export const isDialogOpen = (): boolean => document.querySelector("[role=dialog]:not([popover]), [role=alertdialog], :popover-open") !== null;

/** Return whether a press is one key alone. */
export function isKeyAlone({ ctrlKey, metaKey, altKey }: Pick<KeyboardEvent, "ctrlKey" | "metaKey" | "altKey">): boolean {
  return !ctrlKey && !metaKey && !altKey;
}

/** Return the words for the key that opens the palette on this machine. */
export const paletteKeys = (): string => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K");
