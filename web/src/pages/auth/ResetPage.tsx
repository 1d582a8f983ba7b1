/** Not built yet. */
export function ResetPage() {
  return null;
}
