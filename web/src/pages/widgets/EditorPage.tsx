/** Not built yet. */
export function EditorPage() {
  return null;
}
