import type { Definition, Kind, ShownWidget } from "./definition.ts";
import { external } from "./external/definition.ts";
import { formula } from "./formula/definition.ts";
import { funnel } from "./funnel/definition.ts";
import { heatmap } from "./heatmap/definition.ts";
import { histogram } from "./histogram/definition.ts";
import { kpi } from "./kpi/definition.ts";
import { metric } from "./metric/definition.ts";
import { note } from "./note/definition.ts";
import type { Outline } from "./outline.ts";
import { questionTitle } from "./questionTitle.ts";
import { retention } from "./retention/definition.ts";
import { table } from "./table/definition.ts";

/** What the app knows of each kind that the API has, in the order of the editor. */
const REGISTRY: { [K in Kind]: Definition<K> } = {
  metric, kpi, formula, funnel, retention, histogram, heatmap, table, note, external,
};

/** What stands in place of a widget whose kind the app does not know. */
export const UNKNOWN_KIND = "Reload the page to see this widget.";

/** All kinds. Which config and which answer belong to a kind is known only while it runs. */
export const DEFINITIONS = Object.values(REGISTRY) as unknown as readonly Definition<Kind>[];

/** Return what the app knows of a kind; undefined for one that is newer than the app. */
export function definitionOf(kind: string): Definition<Kind> | undefined {
  return DEFINITIONS.find((definition) => definition.kind === kind);
}

/** Return the title of a widget; without one, it is called by its question, or by its kind. */
export const titleOf = ({ title, type, config }: Pick<ShownWidget, "title" | "type" | "config">): string =>
  title || questionTitle(type, config) || (definitionOf(type)?.label ?? type);

/** Return what is known of a widget's answer before it is there; a kind that is newer than the app has only words. */
export function outlineOf({ type, config, outline }: Pick<ShownWidget, "type" | "config" | "outline">): Outline {
  return outline ?? definitionOf(type)?.outline(config) ?? { form: "text", partCount: 1 };
}
