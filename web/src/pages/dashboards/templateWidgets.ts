import type { WidgetFields } from "../../api/widgets.ts";
import type { Configs, Kind } from "../../widgets/definition.ts";

export const SMALL_ROWS = 2;
export const MEDIUM_ROWS = 4;

export const allEvents = { events: "all" } as const;

/** A widget of a template; its width is in columns of twelve. */
export function makeWidget<K extends Kind>(
  type: K,
  title: string,
  [w, h]: [number, number],
  config: Configs[K],
): WidgetFields {
  return { type, title, config: config, layout: { w, h } };
}
