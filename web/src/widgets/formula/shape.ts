import type { Answers, Configs, DataTable } from "../definition.ts";
import { metricTable, rhythmOf, type Subject } from "../metricShapes.ts";

type Config = Configs["formula"];

/** Return what a formula computes; its values never add up. */
export function subjectOf({ expression }: Config, answer: Answers["formula"]): Subject {
  const isCompared = answer.kind === "timeseries" && answer.compared !== undefined;
  return { name: isCompared ? "This period" : expression, addsUp: false, limit: 0 };
}

/** Say what is computed: "per day · a / b * 100". */
export function noteOf({ expression, breakdown }: Config, answer: Answers["formula"]): string {
  return rhythmOf(answer) + expression + (breakdown ? ` by ${breakdown}` : "");
}

/** Return a formula's answer as a table. */
export function tableOf(answer: Answers["formula"], { expression }: Config, timezone: string): DataTable {
  return metricTable(answer, expression, timezone);
}
