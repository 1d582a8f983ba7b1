/** Not built yet. */
export function ListPage() {
  return null;
}
