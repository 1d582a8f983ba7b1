import { useEffect, useRef, useState } from "react";
import type { ExportQuery } from "../../api/export.ts";
import { errorInLine } from "../../api/words.ts";
import { saveBlob } from "../../core/files.ts";
import { announce } from "../../ui/announce.ts";
import { ExportBroken, type ExportProgress, readExport } from "./exportFile.ts";

const NOTHING: ExportProgress = { bytes: 0, lines: 0 };
const REMARKS: Record<string, string> = {
  incomplete_data: "Events may be missing: a part of the event store is damaged.",
  older_only: "It is empty: all events are older than this span.",
};

/** A file that was saved, and what there is to say about it. */
export interface SavedFile {
  name: string;
  bytes: number;
  remarks: string[];
}

/** Run an export into a file, with its progress. */
export function useExport(): {
  phase: "idle" | "running";
  progress: ExportProgress;
  error: string | null;
  file: SavedFile | null;
  start: (query: ExportQuery) => void;
  stop: () => void;
} {
  const [phase, setPhase] = useState<"idle" | "running">("idle");
  const [progress, setProgress] = useState(NOTHING);
  const [error, setError] = useState<string | null>(null);
  const [file, setFile] = useState<SavedFile | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);

  const run = async (query: ExportQuery) => {
    const mine = new AbortController();
    abort.current = mine;
    setPhase("running");
    setProgress(NOTHING);
    setError(null);
    setFile(null);
    try {
      const { name, blob, notices } = await readExport(query, mine.signal, setProgress);
      saveBlob(blob, name);
      setFile({ name, bytes: blob.size, remarks: notices.map((code) => REMARKS[code] ?? code) });
      announce(`${name} is saved.`);
    } catch (failure) {
      if (!mine.signal.aborted) setError(failure instanceof ExportBroken ? failure.message : errorInLine(failure));
    }
    setPhase("idle");
  };
  return { phase, progress, error, file, start: (query) => void run(query), stop: () => abort.current?.abort() };
}
