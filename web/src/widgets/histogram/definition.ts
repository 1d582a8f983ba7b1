import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";
import { eventsFieldOf, eventsInWords } from "../words.ts";
import { spotsOf, tableOf } from "./shape.ts";

/** How the numbers of a property are distributed. */
export const histogram: Definition<"histogram"> = {
  kind: "histogram",
  label: "Histogram",
  View: lazily(() => import("./View.tsx"), "View"),
  Form: lazily(() => import("./Form.tsx"), "Form"),
  isSentence: true,
  initialConfig: ({ event, numberProperty }) => ({ ...eventsFieldOf(event), property: numberProperty, percentiles: true }),
  missingInWords: ({ property }) => (property === "" ? "Choose a numeric property." : ""),
  size: { w: 4, h: 4 },
  outline: () => ({ form: "histogram", partCount: 1 }),
  note: (config) => `${config.property || "a property"} of ${eventsInWords(config)}`,
  spots: (answer, { property }) => spotsOf(answer, property),
  table: (answer, { property }) => tableOf(answer, property),
};
