import type { Annotation, AnnotationFields } from "../api/annotations.ts";
import { toMilliseconds, momentOf, localTimeAt } from "../core/time.ts";
import { ANNOTATION_COLORS } from "./annotationColors.ts";

/** An annotation while somebody writes it. Its times are what the clocks of the workspace show, to the minute. */
export interface AnnotationDraft {
  label: string;
  description: string;
  /** As a field for date and time has it: `2026-11-20T12:05`. */
  time: string;
  /** Empty for a moment. */
  timeEnd: string;
  color: string;
}

/** What an annotation is about until it is saved: a moment that was pointed at, or one that exists. */
export type AnnotationTimes = Pick<Annotation, "time" | "timeEnd">;

/** Return the draft of a new annotation at a moment. */
export function draftAt(time: string, zone: string): AnnotationDraft {
  return { label: "", description: "", time: fieldTextOf(time, zone), timeEnd: "", color: ANNOTATION_COLORS[0]?.value ?? "" };
}

/** Return the draft of an annotation that exists. */
export function draftOfAnnotation({ label, description, time, timeEnd, color }: Annotation, zone: string): AnnotationDraft {
  return { label, description: description ?? "", time: fieldTextOf(time, zone), timeEnd: timeEnd === null ? "" : fieldTextOf(timeEnd, zone), color };
}

/** Return what of a draft somebody has written, whatever its time. */
export const wordsOf = ({ label, description, color }: AnnotationDraft) => ({ label, description, color });

/** Return what a draft says as the API takes it. A time that nobody changed stays exact to the millisecond. */
export function fieldsOfDraft(draft: AnnotationDraft, originalTimes: AnnotationTimes, zone: string): Omit<AnnotationFields, "environment"> {
  return {
    label: draft.label.trim(),
    description: draft.description.trim() || null,
    time: momentOfField(draft.time, originalTimes.time, zone),
    timeEnd: draft.timeEnd === "" ? null : momentOfField(draft.timeEnd, originalTimes.timeEnd, zone),
    color: draft.color,
  };
}

/** Write a moment as the field for date and time takes it, on the clocks of a zone. */
export function fieldTextOf(time: string, zone: string): string {
  return new Date(localTimeAt(toMilliseconds(time) / 1_000, zone) * 1_000).toISOString().slice(0, "2026-11-20T12:05".length);
}

function momentOfField(text: string, savedTime: string | null, zone: string): string {
  if (savedTime !== null && fieldTextOf(savedTime, zone) === text) return savedTime;
  const clockTime = Date.parse(`${text}Z`);
  return Number.isNaN(clockTime) ? text : new Date(momentOf(clockTime / 1_000, zone) * 1_000).toISOString();
}
