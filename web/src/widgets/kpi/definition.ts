import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";
import { eventsFieldOf, missingInWords } from "../words.ts";
import { spotsOf, tableOf } from "./shape.ts";
import { View } from "./View.tsx";

/** Up to six numbers, each with its change. */
export const kpi: Definition<"kpi"> = {
  kind: "kpi",
  label: "Numbers",
  View,
  Form: lazily(() => import("./Form.tsx"), "Form"),
  isSentence: true,
  initialConfig: ({ event }) => ({
    sparklines: true,
    items: [
      { ...eventsFieldOf(event), measure: "count" },
      { ...eventsFieldOf(event), measure: "uniq_actors", label: "Actors" },
    ],
  }),
  missingInWords: ({ items }) => items.map(missingInWords).find(Boolean) ?? "",
  size: { w: 12, h: 2 },
  outline: ({ items }) => ({ form: "numbers", partCount: items.length, hasGoals: items.some(({ goal }) => (goal ?? null) !== null) }),
  note: ({ compare }) => (compare === false ? "" : "vs. previous period"),
  spots: spotsOf,
  table: tableOf,
};
