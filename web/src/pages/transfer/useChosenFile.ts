import { useState } from "react";
import { FileUnreadable } from "./fileRow.ts";
import { type Sample, sampleOf } from "./sample.ts";
import { type Source, openSource } from "./source.ts";

/** A file that was chosen, with its beginning. */
export interface ChosenFile {
  source: Source;
  sample: Sample;
}

/** Keep the file that a person chose, once its beginning is read; `error` is why it cannot be. */
export function useChosenFile() {
  const [selection, setSelection] = useState<ChosenFile | null>(null);
  const [error, setError] = useState<string | null>(null);
  const openFile = async (file: File) => {
    setError(null);
    try {
      const source = await openSource(file);
      const sample = await sampleOf(source);
      if (sample.rows.length === 0) throw new FileUnreadable("The file has no rows.");
      setSelection({ source, sample });
    } catch (failure) {
      setSelection(null);
      setError(failure instanceof FileUnreadable ? failure.message : "The browser couldn't read this file.");
    }
  };
  return { selection, error, choose: (file: File) => void openFile(file), forget: () => setSelection(null) };
}
