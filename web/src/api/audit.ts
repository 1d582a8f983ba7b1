import { infiniteQueryOptions } from "@tanstack/react-query";
import { GET, answer } from "./client.ts";
import type { components } from "./schema.gen.ts";

export type AuditEntry = components["schemas"]["EntryOut"];

/** Entries of a page of the list, and of one that is saved. */
const ENTRIES_A_PAGE = 50;
const MAX_PER_PAGE = 200;
/** Entries that are saved at most. */
const MAX_SAVED_ENTRIES = 20_000;

function fetchPage(limit: number, cursor: string | null, signal: AbortSignal | null = null) {
  const query = { limit: String(limit), ...(cursor === null ? {} : { cursor }) };
  return answer(GET("/v1/audit", { params: { query }, signal }));
}

/** Who did what in the workspace, newest first. Admins only. */
export const auditQuery = infiniteQueryOptions({
  queryKey: ["/v1/audit"],
  queryFn: ({ signal, pageParam }) => fetchPage(ENTRIES_A_PAGE, pageParam, signal),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.next,
});

/** Fetch the whole log, or its newest 20,000 entries. */
export async function fetchAudit(): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: { entries: AuditEntry[]; next: string | null } = await fetchPage(MAX_PER_PAGE, cursor);
    entries.push(...page.entries);
    cursor = page.next;
  } while (cursor !== null && entries.length < MAX_SAVED_ENTRIES);
  return entries;
}
