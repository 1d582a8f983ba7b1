import { GET } from "./client.ts";
import { errorOf } from "./errors.ts";
import type { paths } from "./schema.gen.ts";

/** Which events are exported, and as what. */
export type ExportQuery = NonNullable<paths["/v1/export"]["get"]["parameters"]["query"]>;

/** An export under way. */
export interface OpenExport {
  stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** What the server calls the file. */
  name: string;
  /** Codes of what there is to say about it. */
  notices: string[];
}

/**
 * Begin an export.
 *
 * @throws ApiError when it is refused.
 */
export async function openExport(query: ExportQuery, signal: AbortSignal): Promise<OpenExport> {
  const { data, error, response } = await GET("/v1/export", { params: { query }, parseAs: "stream", signal });
  if (!response.ok || !data) throw errorOf(response, error);
  const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "events";
  const notices = (response.headers.get("Tallyroom-Notice") ?? "").split(", ").filter(Boolean);
  return { stream: data, name, notices };
}

/** Return the address of an export, for a link that the browser downloads by itself. */
export function exportAddress(query: ExportQuery): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== null);
  return `/v1/export?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()}`;
}
