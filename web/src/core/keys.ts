/** A key press, as far as shortcuts look at it. */
export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  target: EventTarget | null;
}

const TYPED_INTO = "input, textarea, select, [contenteditable=true], [role=combobox], [role=textbox]";

/** Return whether a key press belongs to a field or an open dialog, where single keys are text and not shortcuts. */
export function isTypedInField({ target }: KeyPress): boolean {
  if (!(target instanceof Element)) return false;
  const openDialog = document.querySelector("[role=dialog]:not([popover]), [role=alertdialog], :popover-open");
  return target.closest(TYPED_INTO) !== null || openDialog !== null;
}

/** Return whether a press is one key alone. */
export function isKeyAlone({ ctrlKey, metaKey, altKey }: KeyPress): boolean {
  return !ctrlKey && !metaKey && !altKey;
}

/** Return the words for the key that opens the palette on this machine. */
export function paletteKeys(): string {
  return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘K" : "Ctrl K";
}
