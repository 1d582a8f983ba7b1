/** Not built yet. */
export function StartPage() {
  return null;
}
