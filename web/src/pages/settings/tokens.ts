import type { Token, TokenScope } from "../../api/tokens.ts";
import { DAY_MS } from "./usage.ts";

/** The scopes in the order in which they are offered, with what each allows. */
export const SCOPES: { scope: TokenScope; hint: string }[] = [
  { scope: "read", hint: "Everything a viewer can see, except exports." },
  { scope: "write", hint: "Everything a developer can create, update and delete." },
  { scope: "annotate", hint: "Annotations only." },
  { scope: "export", hint: "Event exports." },
];

/** After how many days a token may expire; null for never. */
export const LIFETIME_OPTIONS: { value: string; label: string; days: number | null }[] = [
  { value: "30", label: "30 days", days: 30 },
  { value: "90", label: "90 days", days: 90 },
  { value: "365", label: "1 year", days: 365 },
  { value: "never", label: "Never", days: null },
];

/** Return when a token expires that is made now, as the API writes it. */
export function expiryOf(lifetime: string, now: number): string | null {
  const days = LIFETIME_OPTIONS.find((option) => option.value === lifetime)?.days ?? null;
  return days === null ? null : new Date(now + days * DAY_MS).toISOString();
}

/** Return whether a token still opens anything. */
export function isValid({ revokedAt, expiresAt }: Token, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);
}
