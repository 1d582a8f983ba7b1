import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";
import { eventsFieldOf } from "../words.ts";
import { noteOf, spotsOf, tableOf } from "./shape.ts";

/** How many take one step after the other. */
export const funnel: Definition<"funnel"> = {
  kind: "funnel",
  label: "Funnel",
  View: lazily(() => import("./View.tsx"), "View"),
  Form: lazily(() => import("./Form.tsx"), "Form"),
  Insight: lazily(() => import("./Insight.tsx"), "Insight"),
  initialConfig: ({ event, nextEvent }) => ({ steps: [eventsFieldOf(event), eventsFieldOf(nextEvent)] }),
  size: { w: 6, h: 4 },
  outline: ({ steps }) => ({ form: "funnel", partCount: steps.length }),
  note: noteOf,
  spots: spotsOf,
  table: tableOf,
};
