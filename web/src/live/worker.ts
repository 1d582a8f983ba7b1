// Runs once per browser and serves all tabs: each question has one connection, however many tabs ask it.
import type { Event } from "../api/events.ts";
import type { FromTab, FromWorker, Report } from "./messages.ts";
import { type LiveQuestion, streamPath } from "./liveQuestion.ts";
import { Stream } from "./stream.ts";
import { Tabs } from "./tabs.ts";

const FLUSH_MS = 250;
const LOOK_MS = 5_000;
/** Pages come and go in the same moment when somebody navigates; what they share should not close between. */
const SETTLE_MS = 50;

interface Answer {
  stream: Stream;
  report: Report;
  pending: Event[];
}

const tabs = new Tabs<MessagePort>();
const answers = new Map<string, Answer>();
let settling: ReturnType<typeof setTimeout> | null = null;
let flushing: ReturnType<typeof setTimeout> | null = null;

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (!port) return;
  tabs.heard(port, Date.now());
  port.addEventListener("message", ({ data }: MessageEvent<FromTab>) => receive(port, data));
  port.start();
  send(port, { type: "welcome" });
});
setInterval(() => {
  tabs.expire(Date.now());
  settle();
}, LOOK_MS);

function receive(port: MessagePort, message: FromTab): void {
  const now = Date.now();
  if (message.type === "leave") tabs.leave(port);
  else tabs.heard(port, now);
  if (message.type === "turn") tabs.turn(port, message.hidden, now);
  if (message.type === "drop") tabs.drop(port, message.id);
  if (message.type === "ask") join(port, message.id, message.question, now);
  settling ??= setTimeout(settle, SETTLE_MS);
}

function join(port: MessagePort, id: number, question: LiveQuestion, now: number): void {
  tabs.ask(port, id, question, now);
  for (const [key, { report }] of answers) {
    if (tabs.listeners(key).some((listener) => listener.port === port && listener.id === id)) send(port, { type: "report", id, report });
  }
}

/** Open what is asked and watched, and close what is not. */
function settle(): void {
  settling = null;
  const questions = tabs.questions(Date.now());
  for (const [key, { stream }] of answers) {
    if (questions.has(key)) continue;
    stream.stop();
    answers.delete(key);
  }
  for (const [key, { question, isWatched }] of questions) {
    if (isWatched) (answers.get(key) ?? begin(key, question)).stream.start();
    else answers.get(key)?.stream.stop();
  }
}

function begin(key: string, question: LiveQuestion): Answer {
  const stream = new Stream(streamPath(question), {
    onOpen: (fresh) => report(key, "live", fresh),
    onLost: () => report(key, "reconnecting"),
    onRefused: () => report(key, "refused"),
    onEvents: (events) => {
      answers.get(key)?.pending.push(...events);
      flushing ??= setTimeout(flush, FLUSH_MS);
    },
  });
  const answer: Answer = { stream, report: { state: "connecting", opened: 0 }, pending: [] };
  answers.set(key, answer);
  return answer;
}

function report(key: string, state: Report["state"], fresh = false): void {
  const answer = answers.get(key);
  if (!answer) return;
  answer.report = { state, opened: answer.report.opened + (fresh ? 1 : 0) };
  for (const { port, id } of tabs.listeners(key)) send(port, { type: "report", id, report: answer.report });
}

function flush(): void {
  flushing = null;
  for (const [key, answer] of answers) {
    if (answer.pending.length === 0) continue;
    const events = answer.pending;
    answer.pending = [];
    for (const { port, id } of tabs.listeners(key)) send(port, { type: "events", id, events });
  }
}

function send(port: MessagePort, message: FromWorker): void {
  port.postMessage(message);
}
