import type { Answers, Configs, DataTable } from "../definition.ts";
import { metricTable, type Subject } from "../metricShapes.ts";
import { perInterval } from "../words.ts";

type Config = Configs["formula"];

/** Return what a formula computes; its values never add up. */
export function subjectOf({ expression }: Config, answer: Answers["formula"]): Subject {
  const isCompared = answer.kind === "timeseries" && answer.compared !== undefined;
  return { name: isCompared ? "This period" : expression, addsUp: false, limit: 0 };
}

/** Say what is computed: "per day · a / b * 100". */
export function noteOf({ expression, breakdown }: Config, answer: Answers["formula"]): string {
  const isOverTime = answer.kind === "timeseries" || answer.kind === "multiseries";
  return (isOverTime ? `${perInterval(answer.interval)} · ` : "") + expression + (breakdown ? ` by ${breakdown}` : "");
}

/** Return a formula's answer as a table. */
export function tableOf(answer: Answers["formula"], { expression }: Config, timezone: string): DataTable {
  return metricTable(answer, expression, timezone);
}
