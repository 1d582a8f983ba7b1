import { isIdMeasure } from "../../core/ids.ts";
import type { Answers, Configs, DataTable } from "../definition.ts";
import { metricTable, rhythmOf, type Subject } from "../metricShapes.ts";
import { addsUp, measureInWords } from "../words.ts";

type Config = Configs["metric"];

const LIMIT = 10;

/** Return what a metric counts; beside another period, a lone series is "This period". */
export function subjectOf(config: Config, answer: Answers["metric"]): Subject {
  const isCompared = answer.kind === "timeseries" && answer.compared !== undefined;
  return { name: isCompared ? "This period" : measureInWords(config), addsUp: addsUp(config.measure), limit: config.limit ?? LIMIT };
}

/** Return how a metric is shown; its own `chart`, `goal` and `good` count where `display` is silent. */
export function displayOf({ display, chart, goal, good }: Config): NonNullable<Config["display"]> {
  return { ...display, chart: display?.chart ?? chart ?? null, goal: display?.goal ?? goal ?? null, good: display?.good ?? good ?? null };
}

/** Say what is counted: "per day · track.play", "track.play by provider". */
export function noteOf(config: Config, answer: Answers["metric"]): string {
  return rhythmOf(answer) + measureInWords(config) + (config.breakdown ? ` by ${config.breakdown}` : "");
}

/** Return a metric's answer as a table. */
export function tableOf(answer: Answers["metric"], config: Config, timezone: string): DataTable {
  return { ...metricTable(answer, measureInWords(config), timezone), isIdCell: isIdMeasure(config) ? () => true : undefined };
}
