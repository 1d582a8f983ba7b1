import type { TimeRange } from "../core/timeRanges.ts";
import type { Configs, Names } from "../widgets/definition.ts";

/** The kinds of widgets that a line can ask for: all that ask something of events. */
export type LineKind = Exclude<keyof Configs, "note" | "external">;

/** A question as a line has it. */
export type Question = { [K in LineKind]: { kind: K; config: Configs[K] } }[LineKind] & {
  /** What the line does not say is that of the page. */
  timeRange?: TimeRange;
  environment?: string;
};

/** The fields that a line can set, of all kinds. */
export type Fields = Partial<
  Configs["metric"] & Configs["formula"] & Configs["kpi"] & Configs["table"] & Configs["funnel"] & Configs["retention"] & Omit<Configs["histogram"], "property"> & Configs["heatmap"]
>;

/** A question while its line is read. */
export interface Draft {
  kind: LineKind;
  fields: Fields;
  timeRange?: TimeRange;
  environment?: string;
}

/** The names that a line can use: those of one environment, and the environments themselves. */
export interface LineNames extends Names {
  environments: readonly { name: string; displayName: string | null }[];
  /** The zone (IANA) in which days begin. */
  timezone: string;
}

/** A word that the line does not know, or a place where one is missing; places are in UTF-16 units. */
export interface Mark {
  start: number;
  end: number;
  /** What it would accept there, the most similar first. */
  choices: readonly string[];
}

/** What a line asks, or what it does not say. */
export type Reading = { question: Question; marks?: undefined } | { question?: undefined; marks: readonly Mark[]; isQuestion: boolean };
