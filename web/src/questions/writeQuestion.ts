import type { TimeRange } from "../core/timeRanges.ts";
import { dayOf, timeRangeOfDays } from "../scope/days.ts";
import type { Filter } from "../scope/filters.ts";
import { DEFAULT_COLUMNS, comparisonChoice } from "../widgets/words.ts";
import { bareConfig } from "./bareConfig.ts";
import { COMPARISONS, DRAWINGS, INTERVALS, KINDS, PERIODS, RANGES, RESTS, writeName } from "./language.ts";
import type { Fields, LineKind, LineNames, Question } from "./question.ts";
import type { Part } from "./readParts.ts";
import { writeExpression } from "./writeExpression.ts";
import { PartWriter, joinWords } from "./PartWriter.ts";
import { quoted } from "./tokens.ts";
import { vocabularyOf } from "./vocabulary.ts";

/** Write a question as a line that is read as the same question. */
export function writeQuestion({ kind, config, timeRange, environment }: Question, names: LineNames): string {
  const fields = bareConfig(kind, config);
  return joinWords(
    ...WRITERS[kind](fields, new PartWriter(vocabularyOf(names))),
    fields.segmentId && `in segment ${writeName(names.segments.find(({ id }) => id === fields.segmentId)?.name ?? fields.segmentId)}`,
    timeRange && writeRange(timeRange, names.timezone),
    environment && `in environment ${writeName(environment)}`,
  );
}

type Words = (string | 0 | false | null | undefined)[];

/** Write what a question is about, then its clauses. */
const WRITERS: Record<LineKind, (fields: Fields, writer: PartWriter) => Words> = {
  metric: (fields, writer) => {
    const { filters, ...measurement } = fields as Part;
    return [writer.part(measurement), ...writeSplit(fields, writer), writer.where(filters), ...writeDrawing(fields)];
  },
  formula: (fields, writer) => [writeExpression(fields, writer), ...writeSplit(fields, writer), ...writeDrawing(fields)],
  kpi: ({ items = [], compare, sparklines }, writer) => [
    KINDS.write("kpi"),
    items.map(({ label, ...item }) => joinWords(writer.part(item as Part), label && `as ${quoted(label)}`)).join(", "),
    writeAgainst(compare),
    sparklines ? "with sparklines" : null,
  ],
  funnel: (fields, writer) => [KINDS.write("funnel"), writeSteps(fields.steps ?? [], writer), ...writeFunnelOptions(fields, writer)],
  retention: ({ cohortEvent = "", cohortFilters, returnEvent, returnFilters = [], granularity, periods, count, display }, writer) => [
    KINDS.write("retention"),
    writer.event(cohortEvent) + writer.partFilters(cohortFilters),
    returnEvent || returnFilters.length > 0 ? joinWords("returning", returnEvent && `with ${writer.event(returnEvent)}`) + writer.partFilters(returnFilters) : null,
    granularity && PERIODS.write(granularity),
    periods && `for ${periods} periods`,
    count && "counting groups",
    display && `as ${DRAWINGS.write("line")}`,
  ],
  histogram: ({ property, filters, buckets, percentiles, ...askedEvents }, writer) => [
    KINDS.write("histogram"),
    `${writer.number(property ?? "")} of ${writer.events(askedEvents)}`,
    writer.where(filters),
    buckets && `in ${buckets} buckets`,
    percentiles ? "with percentiles" : null,
  ],
  heatmap: ({ filters, timezone, ...askedEvents }, writer) => [
    KINDS.write("heatmap"),
    writer.events(askedEvents),
    writer.where(filters),
    timezone && `in time zone ${writeName(timezone)}`,
  ],
  table: ({ filters, columns = [], rows, ...askedEvents }, writer) => [
    KINDS.write("table"),
    writer.events(askedEvents) + (columns.join() === DEFAULT_COLUMNS.join() ? "" : ":"),
    columns.join() === DEFAULT_COLUMNS.join() ? null : columns.map((column) => writer.column(column)).join(", "),
    writer.where(filters),
    rows && `newest ${rows}`,
  ],
};

const writeSplit = ({ breakdown, limit, rest }: Fields, writer: PartWriter): Words => [
  breakdown && `by ${writer.breakdown(breakdown)}`,
  limit && `top ${limit}`,
  rest && RESTS.write(rest),
];

/** Write how an answer is drawn: over time, beside another time, as bars. */
function writeDrawing({ overTime, interval, compare, display }: Fields): Words {
  const chart = display?.chart;
  return [
    overTime ? INTERVALS.write(interval ?? "auto") : null,
    writeAgainst(compare),
    chart === "area" || chart === "bar" ? `as ${DRAWINGS.write(chart)}` : null,
  ];
}

const writeAgainst = (compare: Fields["compare"]): string | null =>
  compare === undefined || compare === null ? null : `against ${COMPARISONS.write(comparisonChoice(compare, "none"))}`;

const writeSteps = (steps: readonly { filters?: Filter[] }[], writer: PartWriter): string =>
  steps.map(({ filters, ...askedEvents }) => writer.events(askedEvents) + writer.partFilters(filters)).join(", ");

function writeFunnelOptions({ windowHours, windowFrom, breakdown, holding, exclude = [], count, times, steps = [] }: Fields, writer: PartWriter): Words {
  const hourCount = windowHours ?? DEFAULT_WINDOW_HOURS;
  const windowWords = hourCount % 24 === 0 ? `${hourCount / 24} days` : `${hourCount} hours`;
  return [
    windowHours || windowFrom ? `within ${windowWords}` : null,
    windowFrom ? "of the first step" : null,
    breakdown && `by ${writer.breakdown(breakdown)}`,
    holding && `holding ${writer.key(holding)}`,
    ...exclude.map(({ between: [first, last], ...step }) =>
      joinWords(`without ${writeSteps([step], writer)}`, first === 1 && last === steps.length ? null : `between ${first} and ${last}`),
    ),
    count && "counting groups",
    times ? "with times" : null,
  ];
}

const DEFAULT_WINDOW_HOURS = 168;

/** Write a time range: by its name, by the days that it has, or from one moment to another. */
function writeRange(timeRange: TimeRange, timezone: string): string {
  if ("timeRange" in timeRange) return RANGES.write(timeRange.timeRange);
  const firstDay = dayOf(timeRange.from, timezone);
  const lastDay = dayOf(Date.parse(timeRange.to) - 1, timezone);
  const days = timeRangeOfDays(firstDay, lastDay, timezone);
  const isWholeDays = days !== null && "from" in days && Date.parse(days.from) === Date.parse(timeRange.from) && Date.parse(days.to) === Date.parse(timeRange.to);
  return isWholeDays ? `${firstDay} to ${lastDay}` : `${timeRange.from} to ${timeRange.to}`;
}
