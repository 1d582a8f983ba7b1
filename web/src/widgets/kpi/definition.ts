import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";
import { tableOf } from "./shape.ts";
import { View } from "./View.tsx";

/** Up to six numbers, each with its change. */
export const kpi: Definition<"kpi"> = {
  kind: "kpi",
  label: "Numbers",
  View,
  Form: lazily(() => import("./Form.tsx"), "Form"),
  first: (event) => ({
    items: [
      { event, measure: "count" },
      { event, measure: "uniq_actors", label: "Actors" },
    ],
  }),
  size: { w: 12, h: 2 },
  note: ({ compare }) => (compare === false ? "" : "against the period before"),
  table: tableOf,
};
