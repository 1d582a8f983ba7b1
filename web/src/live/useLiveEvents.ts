import { useEffect, useEffectEvent, useState } from "react";
import type { Event } from "../api/events.ts";
import { listen } from "./listen.ts";
import type { Report } from "./messages.ts";
import { type LiveQuestion, questionKey } from "./liveQuestion.ts";
import { Rate } from "./rate.ts";
import { ArrivalBuffer } from "./arrivalBuffer.ts";

/** Of what waits, the newest so many are kept; all of it is counted. */
const MAX_WAITING = 500;
const RATE_EVERY_MS = 5_000;
const FIRST_REPORT: Report = { state: "connecting", openCount: 0 };

export interface LiveOptions {
  /** Hold events back; when this turns false, they come out at once. */
  isPaused: boolean;
  /** Called with new events in the order of arrival, at most four times a second. */
  onEvents: (events: Event[]) => void;
}

export interface Live {
  state: Report["state"] | "paused";
  /** The same, whether or not events are held back. */
  connection: Report["state"];
  /** How many events wait, exactly. */
  waitingCount: number;
  /** Events a minute; null in the first seconds. */
  perMinute: number | null;
  /** Changes whenever events may have been missed, and once at the beginning: time to fetch the list again. */
  openCount: number;
  /** Let out what waits, the newest 500. */
  release: () => void;
  /** Forget what waits. */
  discard: () => void;
}

/** Follow new events as they arrive. With null instead of a question, nothing is followed. */
export function useLiveEvents(question: LiveQuestion | null, { isPaused, onEvents }: LiveOptions): Live {
  const [buffer] = useState(() => new ArrivalBuffer<Event>(MAX_WAITING));
  const [waitingCount, setWaitingCount] = useState(0);
  const [report, setReport] = useState(FIRST_REPORT);
  const [perMinute, setPerMinute] = useState<number | null>(null);
  const currentKey = question ? questionKey(question) : null;
  const receive = useEffectEvent((events: Event[]) => {
    if (isPaused) {
      buffer.add(events);
      setWaitingCount(buffer.count);
    } else onEvents(events);
  });
  const release = () => {
    const events = buffer.release();
    setWaitingCount(0);
    if (events.length > 0) onEvents(events);
  };
  const releaseLater = useEffectEvent(release);
  const startListening = useEffectEvent((rate: Rate) => {
    if (!question) return undefined;
    return listen(question, {
      onReport: setReport,
      onEvents: (events) => {
        rate.add(events.length, Date.now());
        receive(events);
      },
    });
  });

  useEffect(() => {
    const rate = new Rate(Date.now());
    const stop = startListening(rate);
    const timer = setInterval(() => setPerMinute(rate.perMinute(Date.now())), RATE_EVERY_MS);
    return () => {
      stop?.();
      clearInterval(timer);
      buffer.release();
      setWaitingCount(0);
      setReport(FIRST_REPORT);
      setPerMinute(null);
    };
  }, [currentKey, buffer]);
  useEffect(() => {
    if (isPaused) return undefined;
    const timer = setTimeout(releaseLater, 0);
    return () => clearTimeout(timer);
  }, [isPaused]);

  const discard = () => {
    buffer.release();
    setWaitingCount(0);
  };
  const { state: connection, openCount } = report;
  return { state: isPaused ? "paused" : connection, connection, waitingCount, perMinute, openCount, release, discard };
}
