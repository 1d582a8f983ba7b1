import { CornerDownRight } from "lucide-react";
import { useMemo } from "react";
import type { LineNames } from "../../questions/question.ts";
import { suggestionsAt } from "../../questions/suggestions.ts";
import type { Command } from "../commands.ts";
import { type Line, withCompletion } from "./line.ts";

/** Return what may stand at the cursor of a line, as entries that complete it. */
export function useCompletions(line: Line, names: LineNames | undefined, onLine: (line: Line) => void): Command[] {
  const { text, cursor } = line;
  return useMemo(() => {
    if (!names || text.trim() === "") return [];
    return suggestionsAt(text, cursor, names).map(({ text: completion, detail, start }): Command => ({
      id: `completion ${completion}`,
      group: "Complete the question",
      label: completion,
      ...(detail ? { detail } : {}),
      icon: CornerDownRight,
      staysOpen: true,
      run: () => onLine(withCompletion({ text, cursor }, completion, start)),
    }));
  }, [text, cursor, names, onLine]);
}
