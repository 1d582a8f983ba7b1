import { useEffect, useRef, useState } from "react";
import type { ExportQuery } from "../../api/export.ts";
import { errorInLine } from "../../api/words.ts";
import { saveBlob } from "../../core/files.ts";
import { announce } from "../../ui/announce.ts";
import { ExportBroken, type ExportProgress, readExport } from "./exportFile.ts";

const NO_PROGRESS: ExportProgress = { byteCount: 0, lineCount: 0 };
const REMARK_BY_NOTICE: Record<string, string> = {
  incomplete_data: "Events may be missing because part of the event store is damaged.",
  older_only: "The file is empty because all events are older than this time range.",
};

/** A file that was saved, and what there is to say about it. */
interface SavedFile {
  name: string;
  byteCount: number;
  remarks: string[];
}

/** Run an export into a file, with its progress. */
export function useExport() {
  const [phase, setPhase] = useState<"idle" | "running">("idle");
  const [progress, setProgress] = useState(NO_PROGRESS);
  const [error, setError] = useState<string | null>(null);
  const [file, setFile] = useState<SavedFile | null>(null);
  const controllerRef = useRef<AbortController | null>(null);
  useEffect(() => () => controllerRef.current?.abort(), []);

  const run = async (query: ExportQuery) => {
    const controller = new AbortController();
    controllerRef.current = controller;
    setPhase("running");
    setProgress(NO_PROGRESS);
    setError(null);
    setFile(null);
    try {
      const { name, blob, notices } = await readExport(query, controller.signal, setProgress);
      saveBlob(blob, name);
      setFile({ name, byteCount: blob.size, remarks: notices.map((code) => REMARK_BY_NOTICE[code] ?? code) });
      announce(`${name} is saved.`);
    } catch (failure) {
      if (!controller.signal.aborted) setError(failure instanceof ExportBroken ? failure.message : errorInLine(failure));
    }
    setPhase("idle");
  };
  return { phase, progress, error, file, start: (query: ExportQuery) => void run(query), stop: () => controllerRef.current?.abort() };
}
