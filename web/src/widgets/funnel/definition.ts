import { ListFilter } from "lucide-react";
import { lazy } from "react";
import { type Definition } from "../definition.ts";
import { noteOf, tableOf } from "./shape.ts";
import { View } from "./View.tsx";

/** How many take one step after the other. */
export const funnel: Definition<"funnel"> = {
  kind: "funnel",
  label: "Funnel",
  icon: ListFilter,
  View,
  Form: lazy(async () => ({ default: (await import("./Form.tsx")).Form })),
  first: (event) => ({ steps: [{ event }, { event }] }),
  size: { w: 6, h: 4 },
  note: noteOf,
  table: (answer) => tableOf(answer),
};
