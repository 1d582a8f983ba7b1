import { DEFAULT_COLUMNS } from "../widgets/words.ts";
import { COLUMNS, KINDS } from "./language.ts";
import type { Draft } from "./question.ts";
import { LETTERS, readExpression } from "./readExpression.ts";
import { type Part, readEvents, readPart, takesComma, withPartFilters } from "./readParts.ts";
import type { Reader } from "./Reader.ts";
import type { Vocabulary } from "./vocabulary.ts";

type Read = (reader: Reader, vocabulary: Vocabulary) => Draft;

const READERS: Record<(typeof KINDS.meanings)[number]["value"], Read> = {
  funnel: readFunnel,
  retention: readRetention,
  histogram: readHistogram,
  heatmap: (reader, vocabulary) => ({ kind: "heatmap", fields: readEvents(reader, vocabulary) }),
  table: readTable,
  kpi: readNumbers,
  letters: readLetters,
};

/** Read what a question is about, up to its clauses. */
export function readSubject(reader: Reader, vocabulary: Vocabulary): Draft {
  reader.takesWord("show");
  const kind = reader.takesPhrase(KINDS);
  return kind === undefined ? readMeasured(reader, vocabulary) : READERS[kind](reader, vocabulary);
}

function readMeasured(reader: Reader, vocabulary: Vocabulary): Draft {
  const { text, parts } = readExpression(reader, vocabulary);
  const [onlyPart] = parts;
  if (onlyPart && text === "a") return { kind: "metric", fields: onlyPart };
  return { kind: "formula", fields: { ...partsByLetter(parts), expression: text } };
}

const partsByLetter = (parts: readonly Part[]): object => Object.fromEntries(parts.map((part, index) => [LETTERS[index], part])) as object;

/** Read a formula that is written with letters: `formula "a / (a + b)" with a = signup, b = login`. */
function readLetters(reader: Reader, vocabulary: Vocabulary): Draft {
  reader.expect([{ text: '"a / b"' }]);
  const expression = reader.peek()?.form === "name" ? (reader.takeToken()?.text ?? "") : "";
  if (expression === "") reader.markNext();
  reader.require("with");
  const parts: Part[] = [];
  do {
    reader.require(LETTERS[parts.length] ?? "a");
    reader.require("=");
    parts.push(readPart(reader, vocabulary));
  } while (parts.length < LETTERS.length && takesComma(reader));
  return { kind: "formula", fields: { ...partsByLetter(parts), expression } };
}

/** Read the steps of a funnel: "signup, project_created (where plan is pro), purchase". */
function readFunnel(reader: Reader, vocabulary: Vocabulary): Draft {
  const readStep = () => withPartFilters(reader, vocabulary, readEvents(reader, vocabulary));
  const steps = [readStep()];
  while (reader.takesWord("then") || takesComma(reader)) steps.push(readStep());
  if (steps.length < 2) reader.markNext();
  return { kind: "funnel", fields: { steps } };
}

/** Read both events of a retention: "signup returning with login". */
function readRetention(reader: Reader, vocabulary: Vocabulary): Draft {
  const { event: cohortEvent, filters: cohortFilters = [] } = withPartFilters(reader, vocabulary, { event: reader.takeName(vocabulary.events) });
  if (!reader.takesWord("returning")) return { kind: "retention", fields: { cohortEvent, cohortFilters } };
  const returnEvent = reader.takesWord("with") ? reader.takeName(vocabulary.events) : null;
  const { filters: returnFilters = [] } = withPartFilters(reader, vocabulary, {});
  return { kind: "retention", fields: { cohortEvent, cohortFilters, returnEvent, returnFilters } };
}

function readHistogram(reader: Reader, vocabulary: Vocabulary): Draft {
  const property = reader.takeName(vocabulary.numbers);
  const events = reader.takesWord("of") ? readEvents(reader, vocabulary) : { events: "all" as const };
  return { kind: "histogram", fields: { ...events, property } };
}

/** Read the events of a table and its columns: "signup: time, actor, plan". */
function readTable(reader: Reader, vocabulary: Vocabulary): Draft {
  const events = readEvents(reader, vocabulary);
  if (!reader.takesWord(":")) return { kind: "table", fields: { ...events, columns: DEFAULT_COLUMNS } };
  const readColumn = () => reader.takesPhrase(COLUMNS) ?? columnOf(reader.takeName(vocabulary.columns));
  const columns = [readColumn()];
  while (takesComma(reader)) columns.push(readColumn());
  return { kind: "table", fields: { ...events, columns } };
}

const columnOf = (property: string): string => `prop:${property}`;

/** Read the numbers of a KPI: `signup, unique actors of login as "People"`. */
function readNumbers(reader: Reader, vocabulary: Vocabulary): Draft {
  const readItem = () => ({ ...readPart(reader, vocabulary), ...readLabel(reader) });
  const items = [readItem()];
  while (takesComma(reader)) items.push(readItem());
  return { kind: "kpi", fields: { items } };
}

function readLabel(reader: Reader): { label?: string } {
  if (!reader.takesWord("as")) return {};
  const label = reader.peek()?.form === "sign" ? undefined : reader.takeToken()?.text;
  if (label === undefined) reader.markNext();
  return label === undefined ? {} : { label };
}

