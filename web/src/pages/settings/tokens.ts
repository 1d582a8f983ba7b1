import type { Token, TokenScope } from "../../api/tokens.ts";
import { DAYS_MS } from "./days.ts";

/** The scopes in the order in which they are offered, with what each allows. */
export const SCOPES: { scope: TokenScope; words: string }[] = [
  { scope: "read", words: "Everything that a viewer sees, except exports." },
  { scope: "write", words: "Everything that a developer creates, updates and deletes." },
  { scope: "annotate", words: "Annotations only." },
  { scope: "export", words: "Exports of events." },
];

/** After how many days a token may expire; null for never. */
export const LIVES: { value: string; label: string; days: number | null }[] = [
  { value: "30", label: "30 days", days: 30 },
  { value: "90", label: "90 days", days: 90 },
  { value: "365", label: "1 year", days: 365 },
  { value: "never", label: "Never", days: null },
];

/** Return when a token expires that is made now, as the API writes it. */
export function expiryOf(value: string, now: number): string | null {
  const days = LIVES.find((life) => life.value === value)?.days ?? null;
  return days === null ? null : new Date(now + days * DAYS_MS).toISOString();
}

/** Return whether a token still opens anything. */
export function isValid({ revokedAt, expiresAt }: Token, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}
