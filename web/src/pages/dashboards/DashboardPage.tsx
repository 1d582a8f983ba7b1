/** Not built yet. */
export function DashboardPage() {
  return null;
}
