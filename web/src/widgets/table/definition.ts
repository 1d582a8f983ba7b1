import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";
import { DEFAULT_COLUMNS, eventsFieldOf, eventsInWords } from "../words.ts";
import { tableOf } from "./shape.ts";

/** The newest events. */
export const table: Definition<"table"> = {
  kind: "table",
  label: "Table",
  View: lazily(() => import("./View.tsx"), "View"),
  Form: lazily(() => import("./Form.tsx"), "Form"),
  isSentence: true,
  initialConfig: ({ event }) => ({ ...eventsFieldOf(event), columns: DEFAULT_COLUMNS }),
  size: { w: 6, h: 4 },
  outline: ({ rows = 25 }) => ({ form: "table", partCount: rows }),
  note: (config) => (config.event || config.events ? `${eventsInWords(config)}, newest first` : "newest first"),
  table: (answer, _config, timezone) => tableOf(answer, timezone),
};
