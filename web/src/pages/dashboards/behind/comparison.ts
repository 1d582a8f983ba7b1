import type { Differences, Spot, Widget } from "../../../api/widgets.ts";
import { factorInWords } from "../../../core/changes.ts";
import { countInWords, formatExact, formatWholePercent } from "../../../core/numbers.ts";
import type { Interval } from "../../../core/time.ts";

type Kind = Widget["type"];
type Difference = Differences["properties"][number];

const WITHOUT_PARTS = new Set<Kind>(["kpi", "table", "note", "external"]);

/** Return whether a number is a part of an answer, which can be compared with all of it (rules/questions#differences). */
export const isPart = (type: Kind, spot: Spot): boolean => !WITHOUT_PARTS.has(type) && Object.keys(spot).length > 0;

/** Say what is compared with what: "The 205 events of this hour, against all 4,120 of the question (24 hours)." */
export function comparisonInWords({ unit, events, of }: Differences, type: Kind, spot: Spot, interval: Interval | undefined, rangeWords: string): string {
  return `The ${countInWords(events, unit)} ${partInWords(type, spot, interval)}, against all ${formatExact(of)} ${wholeInWords(type)} (${rangeWords}).`;
}

function partInWords(type: Kind, spot: Spot, interval: Interval | undefined): string {
  if (type === "funnel") return "of this step";
  if (type === "retention") return "of this period";
  if (type === "histogram") return "in this range of values";
  if (type === "heatmap") return "in this hour of the week";
  const time = spot.t === undefined ? "" : `of this ${interval ?? "time"}`;
  return [time, labelInWords(spot)].filter(Boolean).join(" ");
}

function labelInWords({ label, kind }: Spot): string {
  if (label === undefined) return "";
  if (kind === undefined) return "with this value";
  return kind === "none" ? "without a value" : "with any other value";
}

function wholeInWords(type: Kind): string {
  if (type === "funnel") return "that reached the first step";
  return type === "retention" ? "of the cohort" : "of the question";
}

/** Write a share as the bars do: "88 %". */
export const shareInWords = (share: number): string => `${formatWholePercent(share)}\u2009%`;

/** Say what the bar of a difference shows beside its share: "of these, 15 % of all, 5.9 × as often". */
export const contrastInWords = ({ everybody, lift }: Difference): string =>
  `of these, ${shareInWords(everybody)} of all, ${factorInWords(lift)} as often`;
