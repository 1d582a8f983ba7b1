import type { Widget } from "../../api/widgets.ts";
import type { Configs, Kind } from "../../widgets/definition.ts";

/** Property keys whose values are groups. */
type GroupKeys = ReadonlySet<string>;

const MASK_SUFFIX = " (masked)";
const MASKED_COLUMNS = new Set(["actor", "source"]);

/** What the labels of a breakdown are, where they are no values of a property. */
const LABEL_BY_BREAKDOWN: Partial<Record<string, string>> = {
  _actor: `actor${MASK_SUFFIX}`,
  _actorLabel: `actor${MASK_SUFFIX}`,
  _source: `source${MASK_SUFFIX}`,
  _group: `group${MASK_SUFFIX}`,
  name: "event",
};

/** What the public sees of each kind of widget, in words that continue the title of its card. */
const WORDS_BY_KIND: { [K in Kind]: (config: Configs[K], groupKeys: GroupKeys) => string } = {
  metric: numbersInWords,
  formula: numbersInWords,
  kpi: ({ items }) => `publishes ${countWithNoun(items.length, "number")}, labeled`,
  table: ({ columns }) => `publishes its column names, but no rows: ${columns.map(propertyName).join(", ")}`,
  funnel: ({ steps, breakdown }, groupKeys) =>
    `publishes the names of ${countWithNoun(steps.length, "event")}, and how many reached each step${breakdownInWords(breakdown, groupKeys)}`,
  retention: () => "publishes the size of each cohort, and how many return",
  histogram: () => "publishes how many events are in each range of values",
  heatmap: () => "publishes numbers by weekday and hour",
  note: () => "publishes its text",
  external: () => "publishes the value from its source",
};

/** Say what anybody sees of a widget on a published dashboard. */
export function publicInWords({ type, config, publishRows }: Pick<Widget, "type" | "config" | "publishRows">, groupKeys: GroupKeys): string {
  if (type === "table" && publishRows) {
    const { columns } = config as Configs["table"];
    return `publishes ${countWithNoun(columns.length, "column")} of individual events: ${columnsInWords(columns, groupKeys)}`;
  }
  // The kind of a widget decides the type of its config.
  return WORDS_BY_KIND[type](config as never, groupKeys);
}

function numbersInWords({ breakdown, overTime }: { breakdown?: string | null; overTime?: boolean }, groupKeys: GroupKeys): string {
  return `publishes numbers${overTime ? " over time" : ""}${breakdownInWords(breakdown, groupKeys)}`;
}

function breakdownInWords(breakdown: string | null | undefined, groupKeys: GroupKeys): string {
  if (!breakdown) return "";
  const key = propertyName(breakdown);
  return ` for each ${LABEL_BY_BREAKDOWN[breakdown] ?? `value of ${key}${groupKeys.has(key) ? MASK_SUFFIX : ""}`}`;
}

function columnsInWords(columns: readonly string[], groupKeys: GroupKeys): string {
  return columns
    .map((column) => {
      const key = propertyName(column);
      const isMasked = MASKED_COLUMNS.has(column) || (column !== key && groupKeys.has(key));
      return isMasked ? `${key}${MASK_SUFFIX}` : key;
    })
    .join(", ");
}

const propertyName = (key: string): string => key.replace(/^prop:/, "");

const countWithNoun = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
