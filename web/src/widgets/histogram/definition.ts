import { ChartColumn } from "lucide-react";
import { lazy } from "react";
import { type Definition } from "../definition.ts";
import { eventsInWords } from "../words.ts";
import { tableOf } from "./shape.ts";
import { View } from "./View.tsx";

/** How the numbers of a property are distributed. */
export const histogram: Definition<"histogram"> = {
  kind: "histogram",
  label: "Histogram",
  icon: ChartColumn,
  View,
  Form: lazy(async () => ({ default: (await import("./Form.tsx")).Form })),
  first: (event) => ({ event, property: "" }),
  size: { w: 4, h: 4 },
  note: (config) => `${config.property || "a property"} of ${eventsInWords(config)}`,
  table: (answer) => tableOf(answer),
};
