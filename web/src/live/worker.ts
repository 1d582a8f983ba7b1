// Runs once per browser and serves all tabs: each question has one connection, however many tabs ask it.
import type { Event } from "../api/events.ts";
import type { FromTab, FromWorker, Report } from "./messages.ts";
import { type LiveQuestion, streamPath } from "./liveQuestion.ts";
import { Stream } from "./stream.ts";
import { Tabs } from "./tabs.ts";

const FLUSH_MS = 250;
const EXPIRE_EVERY_MS = 5_000;
/** Pages come and go in the same moment when somebody navigates; what they share should not close between. */
const SETTLE_MS = 50;

interface Answer {
  stream: Stream;
  report: Report;
  pending: Event[];
}

const tabs = new Tabs<MessagePort>();
const answerByKey = new Map<string, Answer>();
let settleTimer: ReturnType<typeof setTimeout> | null = null;
let flushTimer: ReturnType<typeof setTimeout> | null = null;

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  tabs.noteHeard(port, Date.now());
  port.addEventListener("message", ({ data }: MessageEvent<FromTab>) => handleMessage(port, data));
  port.start();
  send(port, { type: "welcome" });
});
setInterval(() => {
  tabs.removeSilentTabs(Date.now());
  syncStreams();
}, EXPIRE_EVERY_MS);

function handleMessage(port: MessagePort, message: FromTab): void {
  const now = Date.now();
  if (message.type === "leave") tabs.removeTab(port);
  else tabs.noteHeard(port, now);
  if (message.type === "turn") tabs.setHidden(port, message.hidden, now);
  if (message.type === "drop") tabs.removeQuestion(port, message.id);
  if (message.type === "ask") addListener(port, message.id, message.question, now);
  settleTimer ??= setTimeout(syncStreams, SETTLE_MS);
}

function addListener(port: MessagePort, id: number, question: LiveQuestion, now: number): void {
  tabs.addQuestion(port, id, question, now);
  for (const [key, { report }] of answerByKey) {
    if (tabs.listenersOf(key).some((listener) => listener.port === port && listener.id === id)) send(port, { type: "report", id, report });
  }
}

/** Open what is asked and watched, and close what is not. */
function syncStreams(): void {
  settleTimer = null;
  const questionByKey = tabs.questionsByKey(Date.now());
  for (const [key, { stream }] of answerByKey) {
    if (questionByKey.has(key)) continue;
    stream.stop();
    answerByKey.delete(key);
  }
  for (const [key, { question, isWatched }] of questionByKey) {
    if (isWatched) (answerByKey.get(key) ?? startAnswer(key, question)).stream.start();
    else answerByKey.get(key)?.stream.stop();
  }
}

function startAnswer(key: string, question: LiveQuestion): Answer {
  const stream = new Stream(streamPath(question), {
    onOpen: (isFresh) => sendReport(key, "live", isFresh),
    onLost: () => sendReport(key, "reconnecting"),
    onRefused: () => sendReport(key, "refused"),
    onEvents: (events) => {
      answerByKey.get(key)?.pending.push(...events);
      flushTimer ??= setTimeout(flush, FLUSH_MS);
    },
  });
  const answer: Answer = { stream, report: { state: "connecting", openCount: 0 }, pending: [] };
  answerByKey.set(key, answer);
  return answer;
}

function sendReport(key: string, state: Report["state"], isFresh = false): void {
  const answer = answerByKey.get(key);
  if (!answer) return;
  answer.report = { state, openCount: answer.report.openCount + (isFresh ? 1 : 0) };
  for (const { port, id } of tabs.listenersOf(key)) send(port, { type: "report", id, report: answer.report });
}

function flush(): void {
  flushTimer = null;
  for (const [key, answer] of answerByKey) {
    if (answer.pending.length === 0) continue;
    const events = answer.pending;
    answer.pending = [];
    for (const { port, id } of tabs.listenersOf(key)) send(port, { type: "events", id, events });
  }
}

function send(port: MessagePort, message: FromWorker): void {
  port.postMessage(message);
}
