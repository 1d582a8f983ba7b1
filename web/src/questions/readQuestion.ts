import { bareConfig } from "./bareConfig.ts";
import type { Draft, LineNames, Question, Reading } from "./question.ts";
import { readClauses } from "./readClauses.ts";
import { Reader } from "./Reader.ts";
import { readSubject } from "./readSubject.ts";
import { vocabularyOf } from "./vocabulary.ts";

/** Read a question; without one, say which words of the line are not known, and what they could be. */
export function readQuestion(line: string, names: LineNames): Reading {
  const { reader, draft } = readLine(line, names);
  if (reader.marks.length === 0) return { question: questionOf(draft) };
  return { marks: reader.marks, isQuestion: reader.knownCount > 0 };
}

/** Read a line to its end, also behind words that are not known. */
export function readLine(line: string, names: LineNames): { reader: Reader; draft: Draft } {
  const reader = new Reader(line);
  const vocabulary = vocabularyOf(names);
  return { reader, draft: readClauses(reader, readSubject(reader, vocabulary), vocabulary) };
}

function questionOf({ kind, fields, ...scope }: Draft): Question {
  return { ...scope, kind, config: bareConfig(kind, withLines(fields)) } as Question;
}

/** A breakdown is compared over time only, so that is how its comparison is drawn. */
function withLines(fields: Draft["fields"]): Draft["fields"] {
  return fields.breakdown && fields.compare ? { ...fields, overTime: true } : fields;
}
