import type { Condition } from "../../api/alerts.ts";
import { minutesBriefly, minutesInWords } from "../../core/durations.ts";

interface Choice<Value extends string = string> {
  value: Value;
  label: string;
}

/** Conditions as they go on after "is". */
export const CONDITIONS: readonly Choice<Condition>[] = [
  { value: "above", label: "above" },
  { value: "below", label: "below" },
  { value: "rises", label: "up by more than" },
  { value: "drops", label: "down by more than" },
  { value: "anomaly", label: "unusual by more than" },
  { value: "nodata", label: "missing (no events)" },
];

/** How bad it is, as it goes on after "it is". */
export const SEVERITIES: readonly Choice[] = [
  { value: "warning", label: "a warning" },
  { value: "critical", label: "critical" },
];

const WINDOW_MINUTES = [1, 5, 10, 15, 30, 60, 120, 240, 360, 720, 1440];
const REMINDER_MINUTES = [5, 10, 15, 30, 60, 120, 240, 480, 720, 1440];

/** Windows to choose from; one that was set by the API is among them. */
export const windowChoices = (currentMinutes: number): Choice[] =>
  withChosen(WINDOW_MINUTES, currentMinutes).map((minutes) => ({ value: String(minutes), label: minutesInWords(minutes) }));

/** Times between reminders to choose from. */
export const reminderChoices = (currentMinutes: number): Choice[] =>
  withChosen(REMINDER_MINUTES, currentMinutes).map((minutes) => ({ value: String(minutes), label: minutesBriefly(minutes) }));

const withChosen = (usualMinutes: readonly number[], currentMinutes: number): number[] =>
  [...new Set([...usualMinutes, currentMinutes])].toSorted((left, right) => left - right);
