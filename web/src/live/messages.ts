import type { Event } from "../api/events.ts";
import type { LiveQuestion } from "./liveQuestion.ts";

/** How a question is being answered at the moment. */
export interface Report {
  state: "connecting" | "live" | "reconnecting" | "polling" | "refused";
  /**
   * How often the answer has begun anew, 0 before the first time. What came before a new beginning is not sent again, so
   * a list has to be fetched once more.
   */
  openCount: number;
}

/** What a tab says to the worker. It numbers its questions itself. */
export type FromTab =
  | { type: "ask"; id: number; question: LiveQuestion }
  | { type: "drop"; id: number }
  | { type: "turn"; hidden: boolean }
  | { type: "here" }
  | { type: "leave" };

/** What the worker says to a tab; first of all that it runs. */
export type FromWorker =
  | { type: "welcome" }
  | { type: "events"; id: number; events: Event[] }
  | { type: "report"; id: number; report: Report };

/** Who wants to know of new events: in the order of arrival, at most four times a second. */
export interface LiveListener {
  onEvents: (events: Event[]) => void;
  onReport: (report: Report) => void;
}
