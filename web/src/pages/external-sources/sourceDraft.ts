import type { ExternalSource } from "../../api/externalSources.ts";

/** A source while somebody writes it, without its token: the browser keeps no secrets. */
export interface SourceDraft {
  name: string;
  host: string;
  headerName: string;
}

/** Return the draft of a source, or of a new one. */
export const draftOf = (source: ExternalSource | undefined): SourceDraft => ({
  name: source?.name ?? "",
  host: source?.host ?? "",
  headerName: source?.headerName ?? "",
});
