import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { RANGE_NAMES } from "../core/timeRanges.ts";
import { bareConfig } from "./bareConfig.ts";
import { NAMES } from "./lineFixture.ts";
import type { LineKind, Question } from "./question.ts";
import { readQuestion } from "./readQuestion.ts";
import { writeQuestion } from "./writeQuestion.ts";

const PER_KIND = 100;
/** A busy machine takes its time. */
const PATIENCE_MS = 60_000;
const KINDS: LineKind[] = ["metric", "formula", "kpi", "table", "funnel", "retention", "histogram", "heatmap"];
const EVENTS = [...NAMES.events.map(({ name }) => name), "never sent", "by", "Where", "10", "2026-11-01", 'a "b" \\c', "x,y", "(z)", "a:", "-", "größe"];
const KEYS = ["plan", "country", "user tier", "source", "prop:name", "name", "_source", "_actor", "_actorLabel", "order_id", "never_sent", "top", "a=b", "_own"];
const NUMBERS = ["duration_ms", "latency_ms", "amount", "prop:name", "sum", "never sent"];
const FILTER_KEYS = [...KEYS, "amount", "beta"];
const TEXTS = ["pro", "New customer", "5", "true", "and", "", "a, b", "2026-11-01", "1e3", "007"];
const COUNTS = [5, -0.25, 1e21, "9007199254740993"];
/** Operators that compare one value with texts, and with numbers. */
const TEXT_OPERATORS = ["contains", "starts_with", "regex"];
const NUMBER_OPERATORS = ["gt", "gte", "lt", "lte"];

/** Return a source of random numbers from 0 to 1 that is the same in every run (mulberry32). */
function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Makes valid configs of every kind. */
function configMaker(random: () => number) {
  const pick = <Value,>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
  const count = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const list = <Value,>(least: number, most: number, make: (index: number) => Value) => Array.from({ length: count(least, most) }, (_, index) => make(index));
  const maybe = <Value extends object>(value: () => Value): Value | object => (random() < 0.4 ? value() : {});
  const events = () => pick([() => ({ event: pick(EVENTS) }), () => ({ events: "all" }), () => ({ events: list(2, 4, () => pick(EVENTS)) })])();
  const condition = () => {
    const op = pick(["eq", "neq", "has", "in", "not_in", "exists", "not_exists", ...TEXT_OPERATORS, ...NUMBER_OPERATORS]);
    const key = pick(FILTER_KEYS);
    if (op === "exists" || op === "not_exists") return { key, op };
    if (NUMBER_OPERATORS.includes(op)) return { key, op, value: pick(COUNTS) };
    if (TEXT_OPERATORS.includes(op)) return { key, op, value: pick(TEXTS.filter(Boolean)) };
    const values = [...TEXTS, ...(key === "amount" ? COUNTS : key === "beta" ? [true, false] : [])];
    return { key, op, value: op === "in" || op === "not_in" ? list(1, 3, () => pick(values)) : pick(values) };
  };
  const filters = () => list(0, 3, () => (random() < 0.3 ? { any: list(1, 3, condition) } : condition()));
  const measured = () => {
    const measure = pick(["count", "uniq_actors", "uniq", "sum", "avg", "min", "max", "median", "p95", "p99"]);
    const property = measure === "uniq" ? pick(KEYS) : pick(NUMBERS);
    return { ...events(), measure, property: measure === "count" || measure === "uniq_actors" ? null : property };
  };
  const part = () => ({ ...measured(), filters: filters() });
  const compare = () => pick([true, false, "previous", null, ...["1d", "7d", "28d", "1mo", "1y"].map((shift) => ({ shift }))]);
  const segment = () => maybe(() => ({ segmentId: pick(NAMES.segments).id }));
  const drawing = () => {
    const overTime = random() < 0.5;
    const breakdown = random() < 0.5 ? pick([...KEYS, "_group"]) : null;
    const isRanked = breakdown !== null && !overTime;
    return {
      overTime, breakdown, limit: count(1, 50), interval: pick(["auto", "minute", "hour", "day", "week", "month", null]),
      compare: isRanked ? null : compare(), display: pick([null, { chart: "bar" }, { chart: "area", unit: "ms" }, { chart: "line", decimals: 2 }]),
    };
  };
  const expression = (letters: readonly string[]) => pick([letters.join(" / "), letters.join("+"), `(${letters.join(" - ")}) * 100`, `-${letters.toReversed().join(" * ")} + 0.5`, letters[0]]);
  const column = () => pick(["time", "event", "actor", "source", "prop:time", "prop:plan", "prop:user tier", "prop:a:b"]);
  const makers: Record<LineKind, () => object> = {
    metric: () => {
      const { breakdown, ...rest } = drawing();
      return { ...part(), ...rest, breakdown, rest: breakdown === null ? null : pick([null, "none", "other", "both"]), ...segment() };
    },
    formula: () => {
      const letters = ["a", "b", "c", "d"].slice(0, count(1, 4));
      const text = expression(letters) ?? "a";
      const usedLetters = letters.filter((letter) => text.includes(letter));
      return { ...Object.fromEntries(usedLetters.map((letter) => [letter, part()])), expression: text, ...drawing(), ...segment() };
    },
    kpi: () => ({ items: list(1, 6, () => ({ ...part(), ...maybe(() => ({ label: pick(["People", "as", '"x"']) })), goal: 5 })), compare: compare(), sparklines: random() < 0.5, ...segment() }),
    table: () => ({ ...maybe(events), columns: [...new Set(list(1, 8, column))], rows: count(1, 100), filters: filters(), ...segment() }),
    funnel: () => {
      const steps = list(2, 8, () => ({ ...events(), filters: filters() }));
      const first = count(1, steps.length - 1);
      return {
        steps, windowHours: count(1, 720), windowFrom: pick(["previous", "first"]), count: pick(["actor", "group"]), times: random() < 0.5,
        ...maybe(() => ({ breakdown: pick(KEYS) })), ...maybe(() => ({ holding: pick(KEYS) })), ...segment(),
        exclude: list(0, 2, () => ({ ...events(), filters: filters(), between: [first, count(first + 1, steps.length)] })),
      };
    },
    retention: () => ({
      cohortEvent: pick(EVENTS), ...maybe(() => ({ returnEvent: pick(EVENTS) })), granularity: pick(["day", "week", "month"]), periods: count(2, 12),
      count: pick(["actor", "group"]), cohortFilters: filters(), returnFilters: filters(), display: pick([null, { chart: "line" }]), ...segment(),
    }),
    histogram: () => ({ ...events(), property: pick(NUMBERS), buckets: count(2, 50), percentiles: random() < 0.5, filters: filters(), ...segment() }),
    heatmap: () => ({ ...maybe(events), filters: filters(), ...maybe(() => ({ timezone: pick(["Europe/Vienna", "UTC"]) })), ...segment() }),
  };
  const scope = () => ({
    ...maybe(() => ({ timeRange: pick(RANGE_NAMES.map((timeRange) => ({ timeRange }))) })),
    ...maybe(() => ({ environment: pick(NAMES.environments).name })),
  });
  return (kind: LineKind) => ({ kind, config: makers[kind](), ...scope() }) as Question;
}

test.each(KINDS)("a random %s is read from its line as it was written", (kind) => {
  const makeQuestion = configMaker(randomSource(KINDS.indexOf(kind) + 1));
  for (let index = 0; index < PER_KIND; index += 1) {
    const question = makeQuestion(kind);
    const line = writeQuestion(question, NAMES);
    const { question: readBack } = readQuestion(line, NAMES);
    const bareQuestion = { ...question, config: bareConfig(kind, question.config) };
    // To compare by assertion each time would take ten times as long.
    if (!isDeepStrictEqual(readBack, bareQuestion)) expect(readBack, line).toEqual(bareQuestion);
  }
}, PATIENCE_MS);

test.each([
  ["2026-10-31T23:00:00.000Z", "2026-11-14T23:00:00.000Z", "2026-11-01 to 2026-11-14"],
  ["2026-11-01T10:30:00.000Z", "2026-11-01T11:00:00.000Z", "2026-11-01T10:30:00.000Z to 2026-11-01T11:00:00.000Z"],
])("from %s to %s is read from its line as it was written", (from, to, words) => {
  const question: Question = { kind: "heatmap", config: { event: "signup" }, timeRange: { from, to } };
  const line = writeQuestion(question, NAMES);
  expect(line).toBe(`heat map of signup ${words}`);
  expect(readQuestion(line, NAMES).question).toEqual(question);
});
