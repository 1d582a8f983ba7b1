/** Not built yet. */
export function InvitePage() {
  return null;
}
