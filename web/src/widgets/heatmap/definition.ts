import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";
import { eventsFieldOf, eventsInWords } from "../words.ts";
import { Aside } from "./Aside.tsx";
import { spotsOf, tableOf } from "./shape.ts";

/** At which hours of the week events come. */
export const heatmap: Definition<"heatmap"> = {
  kind: "heatmap",
  label: "Heat map",
  View: lazily(() => import("./View.tsx"), "View"),
  Aside,
  Form: lazily(() => import("./Form.tsx"), "Form"),
  isSentence: true,
  initialConfig: ({ event }) => eventsFieldOf(event),
  size: { w: 6, h: 4 },
  outline: () => ({ form: "heatmap", partCount: 1 }),
  note: (config) => [eventsInWords(config), config.timezone].filter(Boolean).join(" · "),
  spots: spotsOf,
  table: (answer) => tableOf(answer),
};
