import { Table2 } from "lucide-react";
import { lazy } from "react";
import { type Definition } from "../definition.ts";
import { eventsInWords } from "../words.ts";
import { tableOf } from "./shape.ts";
import { View } from "./View.tsx";

/** The newest events. */
export const table: Definition<"table"> = {
  kind: "table",
  label: "Table",
  icon: Table2,
  View,
  Form: lazy(async () => ({ default: (await import("./Form.tsx")).Form })),
  first: (event) => ({ event, columns: ["time", "event", "actor", "source"] }),
  size: { w: 6, h: 4 },
  note: (config) => (config.event || config.events ? `${eventsInWords(config)}, newest first` : "newest first"),
  table: (answer, _config, { timezone }) => tableOf(answer, timezone),
};
