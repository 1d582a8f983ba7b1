import { ApiError } from "./errors.ts";
import { errorInLine } from "./words.ts";

/** Say what is wrong with one field of a form, by its path and its name on screen; null if nothing is. */
export function errorAbout(error: unknown, path: string, name: string): string | null {
  const message = error instanceof ApiError ? error.messageAbout(path) : null;
  return message === null ? null : `${name} ${message}.`;
}

/** Say what is wrong with each field of a form, by paths and names on screen, and in one line what is about none of them. */
export function errorsAbout<Path extends string>(error: unknown, names: Record<Path, string>) {
  const complaints = Object.entries<string>(names).map(([path, name]) => [path, errorAbout(error, path, name)] as const);
  const errorByField = Object.fromEntries(complaints) as Record<Path, string | null>;
  const otherError = error && complaints.every(([, words]) => words === null) ? errorInLine(error) : null;
  return { errorByField, otherError };
}
