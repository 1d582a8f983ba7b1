/**
 * What this browser remembers for one person: the theme, pinned dashboards, whether single keys are shortcuts, and
 * what they were writing. Never secrets, and never what events say.
 */
export type StoredName = "theme" | "shortcuts" | "pinned" | `draft ${string}`;

/** Return what is stored, or null; a browser with storage switched off stores nothing. */
export function readStored(name: StoredName): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Store a value, or forget it with null. Return whether the browser did: storage may be full or switched off. */
export function store(name: StoredName, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Return the names of all that is stored under a prefix. */
export function storedNames<Prefix extends "draft ">(prefix: Prefix): `${Prefix}${string}`[] {
  try {
    return Object.keys(localStorage).filter((name): name is `${Prefix}${string}` => name.startsWith(prefix));
  } catch {
    return [];
  }
}
