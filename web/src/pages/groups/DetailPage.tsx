/** Not built yet. */
export function DetailPage() {
  return null;
}
