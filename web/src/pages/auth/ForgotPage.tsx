/** Not built yet. */
export function ForgotPage() {
  return null;
}
