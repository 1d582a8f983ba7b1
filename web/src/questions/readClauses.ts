import { compareOfChoice } from "../widgets/words.ts";
import { AGAINST, COMPARISONS, DRAWINGS, INTERVALS, PERIODS, RESTS } from "./language.ts";
import type { Draft, LineKind } from "./question.ts";
import { drawnWhole } from "./drawings.ts";
import { subsetOf } from "./phrases.ts";
import { readBreakdown, readFilters, readKey, readEvents, withPartFilters } from "./readParts.ts";
import { readRange } from "./readRange.ts";
import type { Reader } from "./Reader.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { withFilters } from "./draftFilters.ts";

/** Reads a clause if it comes next; undefined if another one or none does. */
type Clause = (reader: Reader, draft: Draft, vocabulary: Vocabulary) => Draft | undefined;

const MAX_LABELS = 50;
const COUNTS = [{ text: "10" }, { text: "5" }];

/**
 * Read the clauses of a question in any order, with or without commas between them; words of no clause are marked, and so
 * is a clause that would take the place of one before it.
 */
export function readClauses(reader: Reader, subject: Draft, vocabulary: Vocabulary): Draft {
  const readBefore = new Set<Clause>();
  const readClause = (draft: Draft): Draft | undefined => {
    const possibleClauses = [...CLAUSES[draft.kind], readTimes, readScope].filter((clause) => !readBefore.has(clause));
    for (const clause of possibleClauses) {
      const nextDraft = clause(reader, draft, vocabulary);
      if (nextDraft && !REPEATABLE.has(clause)) readBefore.add(clause);
      if (nextDraft) return nextDraft;
    }
    return undefined;
  };
  let draft = subject;
  reader.takesWord(",");
  while (!reader.isAtEnd) {
    const nextDraft = readClause(draft);
    if (!nextDraft) reader.markNext();
    draft = nextDraft ?? draft;
    reader.takesWord(",");
  }
  if (!reader.isCutOff) readClause(draft); // notes what may follow
  return draft;
}

const withFields = (draft: Draft, fields: Draft["fields"]): Draft => ({ ...draft, fields: { ...draft.fields, ...fields } });

const readSplit: Clause = (reader, draft, vocabulary) => {
  if (!reader.takesWord("by")) return undefined;
  const breakdown = readBreakdown(reader, vocabulary);
  if (draft.kind === "funnel") return withFields(draft, { breakdown });
  reader.takesWord(",");
  return withFields(draft, reader.takesWord("top") ? { breakdown, limit: reader.takeCount(1, MAX_LABELS, COUNTS) } : { breakdown });
};

const readWhere: Clause = (reader, draft, vocabulary) =>
  reader.takesWord("where") ? withFilters(draft, readFilters(reader, vocabulary)) : undefined;

const readRest: Clause = (reader, draft) => {
  const rest = draft.kind === "metric" && draft.fields.breakdown ? reader.takesPhrase(RESTS) : undefined;
  return rest && withFields(draft, { rest });
};

const readInterval: Clause = (reader, draft) => {
  const interval = reader.takesPhrase(INTERVALS);
  return interval && withFields(draft, { overTime: true, interval });
};

const readAgainst: Clause = (reader, draft) => {
  if (!reader.takesPhrase(AGAINST)) return undefined;
  const choice = reader.takesPhrase(COMPARISONS);
  if (choice === undefined) reader.markNext();
  return withFields(draft, { compare: compareOfChoice(choice ?? "none") });
};

const readScope: Clause = (reader, draft, vocabulary) => {
  if (draft.kind === "heatmap" && reader.takesWord("in time zone")) return withFields(draft, { timezone: reader.takeToken()?.text ?? "" });
  const { segments, environments, names } = vocabulary;
  const segmentIdOf = (text: string) => names.segments.find(({ name }) => name === text)?.id ?? null;
  if (reader.takesWord("in segment")) return withFields(draft, { segmentId: segmentIdOf(reader.takeName(segments)) });
  if (reader.takesWord("in environment")) return { ...draft, environment: reader.takeName(environments) };
  if (reader.peek()?.text.toLowerCase() !== "in") return undefined;
  if (!reader.takesWord("in")) return undefined;
  const isEnvironment = environments.isSeen(reader.peek()?.text ?? "");
  reader.expect(segments.choices);
  return isEnvironment ? { ...draft, environment: reader.takeName(environments) } : withFields(draft, { segmentId: segmentIdOf(reader.takeName(segments)) });
};

const readTimes: Clause = (reader, draft, { names }) => {
  const timeRange = readRange(reader, names.timezone);
  return timeRange && { ...draft, timeRange };
};

const readDrawing: Clause = (reader, draft) => {
  if (!reader.takesWord("as")) return undefined;
  const drawing = reader.takesPhrase(subsetOf(DRAWINGS, (candidate) => drawnWhole(draft, candidate) !== undefined));
  if (drawing === undefined) reader.markNext();
  return (drawing && drawnWhole(draft, drawing)) ?? draft;
};

const readGroups: Clause = (reader, draft) => (reader.takesWord("counting groups") ? withFields(draft, { count: "group" }) : undefined);

const readWindow: Clause = (reader, draft) => {
  if (!reader.takesWord("within")) return undefined;
  const count = reader.takeCount(1, 720, [{ text: "7" }, { text: "24" }]);
  const hourCount = reader.takesWord("days") || reader.takesWord("day") ? 24 : 1;
  if (hourCount === 1 && !reader.takesWord("hours") && !reader.takesWord("hour")) reader.markNext();
  return withFields(draft, { windowHours: count * hourCount, ...(reader.takesWord("of the first step") ? { windowFrom: "first" } : {}) });
};

const readHolding: Clause = (reader, draft, vocabulary) =>
  reader.takesWord("holding") ? withFields(draft, { holding: readKey(reader, vocabulary) }) : undefined;

const readExclusion: Clause = (reader, draft, vocabulary) => {
  if (!reader.takesWord("without")) return undefined;
  const step = withPartFilters(reader, vocabulary, readEvents(reader, vocabulary));
  const { steps = [], exclude = [] } = draft.fields;
  if (!reader.takesWord("between")) return withFields(draft, { exclude: [...exclude, { ...step, between: [1, steps.length] }] });
  const firstStep = reader.takeCount(1, steps.length - 1, [{ text: "1" }]);
  reader.require("and");
  const lastStep = reader.takeCount(firstStep + 1, steps.length, [{ text: String(steps.length) }]);
  return withFields(draft, { exclude: [...exclude, { ...step, between: [firstStep, lastStep] }] });
};

const readGranularity: Clause = (reader, draft) => {
  const granularity = reader.takesPhrase(PERIODS);
  return granularity && withFields(draft, { granularity });
};

const readPeriods: Clause = (reader, draft) => {
  if (!reader.takesWord("for")) return undefined;
  const periods = reader.takeCount(2, 12, [{ text: "8" }]);
  reader.require("periods");
  return withFields(draft, { periods });
};

/** Return a clause of some words that set a field. */
const switchOf =
  (words: string, fields: Draft["fields"]): Clause =>
  (reader, draft) => (reader.takesWord(words) ? withFields(draft, fields) : undefined);

const readBuckets: Clause = (reader, draft) => {
  const isNext = reader.peek()?.text === "in" && /^\d+$/.test(reader.peek(1)?.text ?? "");
  if (!isNext) return undefined;
  reader.takesWord("in");
  const buckets = reader.takeCount(2, 50, [{ text: "20" }]);
  reader.require("buckets");
  return withFields(draft, { buckets });
};

const readRows: Clause = (reader, draft) =>
  reader.takesWord("newest") ? withFields(draft, { rows: reader.takeCount(1, 100, [{ text: "25" }]) }) : undefined;

const MEASURED: readonly Clause[] = [readSplit, readWhere, readInterval, readRest, readAgainst, readDrawing];
/** The clauses of each kind, in the order in which they are offered; all kinds have a time range, a segment and an environment. */
const CLAUSES: Record<LineKind, readonly Clause[]> = {
  metric: MEASURED,
  formula: MEASURED,
  kpi: [readWhere, readAgainst, switchOf("with sparklines", { sparklines: true })],
  funnel: [readWindow, readSplit, readWhere, readHolding, readExclusion, readGroups, switchOf("with times", { times: true })],
  retention: [readWhere, readGranularity, readPeriods, readGroups, readDrawing],
  histogram: [readWhere, readBuckets, switchOf("with percentiles", { percentiles: true })],
  heatmap: [readWhere],
  table: [readWhere, readRows],
};

/** What adds to what it has read before: filters, exclusions, a segment and an environment. */
const REPEATABLE: ReadonlySet<Clause> = new Set([readWhere, readExclusion, readScope]);
