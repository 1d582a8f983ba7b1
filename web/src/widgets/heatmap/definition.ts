import { LayoutGrid } from "lucide-react";
import { lazy } from "react";
import { type Definition } from "../definition.ts";
import { eventsInWords } from "../words.ts";
import { Aside } from "./Aside.tsx";
import { tableOf } from "./shape.ts";
import { View } from "./View.tsx";

/** At which hours of the week events come. */
export const heatmap: Definition<"heatmap"> = {
  kind: "heatmap",
  label: "Heat map",
  icon: LayoutGrid,
  View,
  Aside,
  Form: lazy(async () => ({ default: (await import("./Form.tsx")).Form })),
  first: (event) => ({ event }),
  size: { w: 6, h: 4 },
  note: (config) => [eventsInWords(config), config.timezone].filter(Boolean).join(" · "),
  table: (answer) => tableOf(answer),
};
