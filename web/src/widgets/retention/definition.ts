import { Grid3x3 } from "lucide-react";
import { lazy } from "react";
import { type Definition } from "../definition.ts";
import { Aside } from "./Aside.tsx";
import { noteOf, tableOf } from "./shape.ts";
import { View } from "./View.tsx";

/** How many newcomers of each period come back. */
export const retention: Definition<"retention"> = {
  kind: "retention",
  label: "Retention",
  icon: Grid3x3,
  View,
  Aside,
  Form: lazy(async () => ({ default: (await import("./Form.tsx")).Form })),
  first: (event) => ({ cohortEvent: event, granularity: "week" }),
  size: { w: 8, h: 4 },
  note: noteOf,
  table: (answer, _config, { timezone }) => tableOf(answer, timezone),
};
