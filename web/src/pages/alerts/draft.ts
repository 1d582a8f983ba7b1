import type { Alert, AlertFields, AlertFormula, AlertRule, Condition, Measure, Severity } from "../../api/alerts.ts";
import { ApiError } from "../../api/errors.ts";
import type { Filter } from "../../scope/filters.ts";
import type { Names } from "../../widgets/definition.ts";
import { missingInWords, takesProperty } from "../../widgets/words.ts";
import { type Rule, joinPieces, ruleInWords } from "./words.ts";

/** A threshold while somebody writes it. */
interface LimitDraft {
  /** As it is typed; "" while none is known. */
  threshold: string;
  /** Somebody chose it; until then it follows from what is measured. */
  isLimitTyped: boolean;
}

/** An alert while somebody writes it; a measure and a formula are both kept, so that a look at the other loses nothing. */
export interface AlertDraft extends LimitDraft {
  name: string;
  environment: string;
  isFormula: boolean;
  event: string;
  measure: Measure;
  property: string;
  filters: Filter[];
  formula: AlertFormula | null;
  segmentId: string | null;
  condition: Condition;
  /** That of the measure while a formula is watched, and the other way around. */
  otherLimit: LimitDraft;
  windowMinutes: number;
  severity: Severity;
  cooldownMinutes: number;
  channelIds: string[];
}

/** The parts of the sentence, and the name, as what is wrong with them is told. */
export type DraftField = "environment" | "event" | "property" | "filters" | "formula" | "segmentId" | "threshold" | "name" | "channelIds";

/** What is wrong, in sentences, by where it is. */
export type Complaints = Partial<Record<DraftField, string>>;

/** What every token of a rule's sentence is given. */
export interface TokenParts {
  draft: AlertDraft;
  onChange: (change: Partial<AlertDraft>) => void;
  names: Names;
  /** Return the id of the sentence about a field, if there is one. */
  complaintIdOf: (field: DraftField) => string | undefined;
}

const FIELD_NAMES: Record<DraftField, string> = {
  environment: "The environment",
  event: "The event",
  property: "The property",
  filters: "A filter",
  formula: "The formula",
  segmentId: "The segment",
  threshold: "The threshold",
  name: "The name",
  channelIds: "A channel",
};
const MAX_NAME_LENGTH = 120;
const INITIAL_LIMIT: LimitDraft = { threshold: "", isLimitTyped: false };

/** What a new alert begins with. */
export interface InitialAlert {
  environment: string;
  event: string;
  measure?: Measure | undefined;
  property?: string | undefined;
  filters?: Filter[];
  segmentId?: string | undefined;
  channelIds?: string[];
}

/** Return the draft of a new alert. */
export function newDraft({ environment, event, measure = "count", property = "", filters = [], segmentId, channelIds = [] }: InitialAlert): AlertDraft {
  return {
    name: "",
    environment,
    isFormula: false,
    event,
    measure,
    property,
    filters,
    formula: null,
    segmentId: segmentId ?? null,
    condition: "above",
    ...INITIAL_LIMIT,
    otherLimit: INITIAL_LIMIT,
    windowMinutes: 60,
    severity: "warning",
    cooldownMinutes: 30,
    channelIds,
  };
}

/** Return the draft of a saved alert. */
export function draftOf(alert: Alert): AlertDraft {
  return {
    name: alert.name,
    environment: alert.environment,
    isFormula: alert.formula !== null,
    event: alert.event ?? "",
    measure: alert.measure ?? "count",
    property: alert.property ?? "",
    filters: alert.filters ?? [],
    formula: alert.formula,
    segmentId: alert.segmentId,
    condition: alert.condition,
    threshold: alert.threshold === null ? "" : String(alert.threshold),
    isLimitTyped: alert.threshold !== null,
    otherLimit: INITIAL_LIMIT,
    windowMinutes: alert.windowMinutes,
    severity: alert.severity,
    cooldownMinutes: alert.cooldownMinutes,
    channelIds: alert.channelIds,
  };
}

/** Return the change to a formula or back to one measure; each begins with what the other has. */
export function switchFormula({ isFormula, formula, event, measure, property, filters, ...draft }: AlertDraft): Partial<AlertDraft> {
  const { threshold, isLimitTyped, otherLimit } = draft;
  const limits = { ...otherLimit, otherLimit: { threshold, isLimitTyped } };
  if (isFormula) return { ...limits, isFormula: false, event: event || (formula?.a.event ?? "") };
  const a = { event, measure, property: takesProperty(measure) ? property : null, filters };
  return { ...limits, isFormula: true, formula: formula ?? { a, b: { event, measure: "uniq_actors" }, expression: "a / b" } };
}

/** Return what a draft watches, as the API takes it. */
export function watchedFieldsOf(draft: AlertDraft): AlertRule {
  const { environment, segmentId, condition, windowMinutes, isFormula, formula, event, measure, filters } = draft;
  const property = takesProperty(measure) ? draft.property : null;
  const subject = isFormula ? { formula } : { event, measure, property, filters };
  const threshold = condition === "nodata" ? null : parseNumber(draft.threshold);
  return { environment, ...subject, segmentId, condition, threshold, windowMinutes };
}

/** Return all fields of a draft, as the API takes them. */
export function fieldsOf(draft: AlertDraft): AlertFields {
  const { severity, cooldownMinutes, channelIds } = draft;
  return { ...watchedFieldsOf(draft), name: nameOf(draft), severity, cooldownMinutes, channelIds };
}

/** Return what of a draft somebody has chosen: a threshold that was only suggested is not. */
export function essenceOf({ threshold, isLimitTyped, ...draft }: AlertDraft): unknown {
  return isLimitTyped ? { ...draft, threshold } : draft;
}

/** Return a draft as the words of a rule take it. */
export function ruleOf(draft: AlertDraft): Rule {
  const { event = null, measure = null, property = null, filters = null, formula = null, segmentId = null, threshold = null, windowMinutes = 60, condition } = watchedFieldsOf(draft);
  return { event, measure, property, filters, formula, segmentId, condition, threshold, windowMinutes };
}

/** Return the name of an alert: what was typed, or else its rule in words. */
export function nameOf(draft: AlertDraft): string {
  return draft.name.trim() || suggestedName(draft);
}

/** Return the rule as a name: "track.error above 25 in 15 min". */
export function suggestedName(draft: AlertDraft): string {
  const words = joinPieces(ruleInWords(ruleOf(draft), null)).replaceAll("\u00a0", " ");
  const letters = Array.from(words);
  return letters.length > MAX_NAME_LENGTH ? `${letters.slice(0, MAX_NAME_LENGTH - 1).join("")}…` : words;
}

/** Return what a rule still lacks, in words. */
export function missingComplaintsOf(draft: AlertDraft): Complaints {
  const complaints: Complaints = {};
  const { isFormula, formula, measure, property, event } = draft;
  if (!isFormula && event.trim() === "") complaints.event = "Choose the event to watch.";
  if (!isFormula && missingInWords({ measure, property }) !== "") complaints.property = "Choose the property to measure.";
  const isIncomplete = [formula?.a, formula?.b, formula?.c, formula?.d].some((part) => part && missingInWords(part) !== "");
  if (isFormula && isIncomplete) complaints.formula = "Choose the property to measure in each part of the formula.";
  if (isFormula && formula?.expression.trim() === "") complaints.formula = "Enter a formula, such as a / b * 100.";
  if (draft.condition !== "nodata" && parseNumber(draft.threshold) === null) {
    complaints.threshold = lacksLimit(draft) ? "Enter a threshold." : "The threshold must be a number, such as 25.";
  }
  return complaints;
}

/** Return whether nobody has chosen a threshold, and none could be suggested. */
export const lacksLimit = ({ threshold, isLimitTyped }: LimitDraft): boolean => !isLimitTyped && threshold === "";

/** Return what the server refuses, in words, by where it is. */
export function refusalsIn(error: unknown): Complaints {
  const complaints: Complaints = {};
  if (!(error instanceof ApiError)) return complaints;
  for (const { path, message } of error.details) {
    const field = String(path[0]);
    if (isField(field)) complaints[field] ??= `${FIELD_NAMES[field]} ${message}.`;
  }
  return complaints;
}

const isField = (text: string): text is DraftField => Object.hasOwn(FIELD_NAMES, text);

/** Return the number that was typed, also with a decimal comma; null if it is none. */
export function parseNumber(text: string): number | null {
  const normalized = text.trim().replace(/^(-?\d+),(\d+)$/, "$1.$2");
  const number = Number(normalized);
  return normalized === "" || !Number.isFinite(number) ? null : number;
}
