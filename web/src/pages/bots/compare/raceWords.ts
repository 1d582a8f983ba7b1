import { type Metric, type TimeFrame, frameInWords, hasHours, metricInWords } from "../../../core/bots.ts";
import { listInWords } from "../../../core/lists.ts";
import { dateMinute, formatDate, shortDate } from "../../../core/time.ts";
import type { Crossing, RaceView } from "./race.ts";

export const VIEW_WORDS: Record<RaceView, string> = { value: "Value", growth: "Growth", gap: "Gap" };

/** Frames of so few hours that the hour of a moment matters. */
const SHORT_FRAMES: ReadonlySet<TimeFrame> = new Set(["12h", "1d", "3d"]);

/** Name the moment at which lines begin: its day, in a short frame with its time. */
export function momentInWords(time: number, timeFrame: TimeFrame): string {
  return hasHours(timeFrame) && SHORT_FRAMES.has(timeFrame) ? dateMinute(time, "UTC") : formatDate(time, "UTC");
}

/** Say who passed whom: "Encore passes Quill, 22 Nov". */
export function crossingInWords({ passer, passed }: Crossing, names: readonly string[], time: number): string {
  return `${names[passer] ?? ""} passes ${names[passed] ?? ""}, ${shortDate(time, "UTC")}`;
}

export interface ViewNote {
  view: RaceView;
  names: readonly string[];
  /** The moment at which growth begins, in words; null without one. */
  baseMoment: string | null;
  leader: number | null;
  /** The names of bots that have no line. */
  missingNames: readonly string[];
}

/** Say how the lines are to be read, and which bots have none; nothing where lines say all. */
export function viewNote({ view, names, baseMoment, leader, missingNames }: ViewNote): string {
  const missingWords = missingNames.length === 0 ? "" : `${listInWords(missingNames)}: ${view === "growth" ? "nothing above zero" : "no data"}.`;
  const viewWords = { value: "", growth: growthNote(baseMoment), gap: leader === null ? "" : `Difference to ${names[leader] ?? ""}, which leads now.` };
  return [viewWords[view], missingWords].filter((words) => words !== "").join(" ");
}

const growthNote = (baseMoment: string | null): string =>
  baseMoment === null ? "There is no moment at which all bots are above zero." : `Change since ${baseMoment}, each line begins at 0\u2009%.`;

/** Say what a picture of a race shows, for those who do not see it. */
export function pictureAlt(names: readonly string[], metric: Metric, view: RaceView, timeFrame: TimeFrame): string {
  const viewWords = view === "value" ? "" : `${VIEW_WORDS[view].toLowerCase()}, `;
  return `${listInWords(names)}: ${metricInWords(metric).toLowerCase()}, ${viewWords}${frameInWords(timeFrame)}`;
}
