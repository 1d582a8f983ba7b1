import type { WidgetFields } from "../../../api/widgets.ts";
import type { Configs, Names } from "../../../widgets/definition.ts";
import { titleOf } from "../../../widgets/registry.ts";
import { sizeOf } from "../../../widgets/sizeOf.ts";

/** A card that a dashboard may get at once. */
export interface Proposal {
  /** What it shows, in a few words. */
  words: string;
  fields: WidgetFields;
}

type MetricConfig = Configs["metric"];
type Property = Names["properties"][number];

/** A value that is longer is more likely a text or an id than a category. */
const MAX_CATEGORY_LENGTH = 24;

/**
 * Return cards that many dashboards begin with, about the two most frequent events and the most frequent properties
 * (rules/boards#suggested-cards).
 *
 * @param titles - of the cards that the dashboard has: these are not proposed again.
 */
export function proposalsFor({ events, properties }: Pick<Names, "events" | "properties">, titles: readonly string[]): Proposal[] {
  const [event, nextEvent] = events.map(({ name }) => name);
  if (event === undefined) return [];
  const category = properties.find(isCategory)?.key;
  const amount = properties.find(({ types }) => types.includes("number"))?.key;
  const configs: MetricConfig[] = [
    { event, measure: "count", overTime: true },
    { events: "all", measure: "uniq_actors" },
    ...(category === undefined ? [] : [{ event, measure: "count", breakdown: category } as const]),
    ...(nextEvent === undefined ? [] : [{ event: nextEvent, measure: "count", overTime: true } as const]),
    ...(amount === undefined ? [] : [{ event, measure: "p95", property: amount, overTime: true } as const]),
  ];
  return configs.map(proposalOf).filter(({ fields }) => !titles.includes(fields.title ?? ""));
}

function proposalOf(config: MetricConfig): Proposal {
  const title = titleOf({ title: "", type: "metric", config });
  return { words: config.overTime ? `${title} over time` : title, fields: { type: "metric", title, config, layout: sizeOf("metric") } };
}

/** Return whether a property divides events into a few: its values are several short words. */
const isCategory = ({ types, examples }: Property): boolean =>
  types.join() === "string" && examples.length > 1 && examples.every((example) => typeof example === "string" && example.length <= MAX_CATEGORY_LENGTH && !/\d/.test(example));
