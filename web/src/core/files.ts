/** Let the browser save a text as a file. */
export function saveFile(text: string, type: string, name: string): void {
  saveBlob(new Blob([text], { type }), name);
}

const BYTE_ORDER_MARK = "\ufeff";

/** Let the browser save CSV for a spreadsheet, which without a byte order mark would take UTF-8 for the charset of the machine. */
export function saveCsv(text: string, name: string): void {
  saveFile(BYTE_ORDER_MARK + text, "text/csv;charset=utf-8", name);
}

/** Let the browser save what is in memory as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun when the click returns, but reading the address may take a moment longer.
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
