/**
 * Copy text. Plain-HTTP addresses have no clipboard API, so a selected field stands in there.
 *
 * @returns whether the text was copied.
 */
export async function copyText(text: string): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  if (clipboard) {
    try {
      await clipboard.writeText(text);
      return true;
    } catch {
      // Not allowed here: try the old way.
    }
  }
  return copyFromField(text);
}

function copyFromField(text: string): boolean {
  const activeElement = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.position = "fixed";
  field.style.opacity = "0";
  // Inside an open dialog, the focus may not leave it.
  (activeElement?.closest("[role=dialog]") ?? document.body).append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without a secure context
  const isCopied = document.execCommand("copy");
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  return isCopied;
}
