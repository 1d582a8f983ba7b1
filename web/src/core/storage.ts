/** What this browser remembers for one person: the theme, pinned dashboards, whether single keys are shortcuts. Never secrets, never data. */
type StoredName = "theme" | "shortcuts" | "pinned";

/** Return what is stored, or null; a browser with storage switched off stores nothing. */
export function readStored(name: StoredName): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Store a value, or forget it with null. */
export function store(name: StoredName, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {
    // The choice holds until the page is left.
  }
}
