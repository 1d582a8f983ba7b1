import type { Result } from "./definition.ts";
import { RHYTHMS } from "./retention/shape.ts";

/** Say of an answer what a title that tells its question does not: "per day", "actors", "weekly"; "" if there is nothing to say. */
export function answerNote(answer: Result): string {
  switch (answer.kind) {
    case "timeseries":
    case "multiseries":
      return `per ${answer.interval}`;
    case "funnel":
      return answer.count === "group" ? "groups" : "actors";
    case "retention":
      return RHYTHMS[answer.granularity];
    default:
      return "";
  }
}
