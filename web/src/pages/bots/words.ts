import { formatExact } from "../../core/numbers.ts";

const ORDINAL_SUFFIXES = ["th", "st", "nd", "rd"];

/** Write a rank: `1st`, `22nd`, `113th`; `–` for none. */
export function ordinal(rank: number): string {
  if (rank <= 0) return formatExact(null);
  const isTeen = Math.floor(rank / 10) % 10 === 1;
  return formatExact(rank) + ((isTeen ? undefined : ORDINAL_SUFFIXES[rank % 10]) ?? "th");
}

/** Write a change with its sign: `+31`, `−1`, `0`. */
export function formatSigned(change: number): string {
  return change > 0 ? `+${formatExact(change)}` : formatExact(change);
}

/** Write an id as briefly as it can be told from others: `2056…2512`. */
export function briefId(id: string): string {
  return `${id.slice(0, 4)}…${id.slice(-4)}`;
}

/** Name a voter: votes without a name have the id in its place, or none. */
export function nameOfVoter(userId: string, username: string | undefined): string {
  return username === undefined || username === userId ? `Voter ${briefId(userId)}` : username;
}
