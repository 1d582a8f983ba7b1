import { Plug } from "lucide-react";
import { lazy } from "react";
import { type Definition } from "../definition.ts";
import { hostOf, tableOf } from "./shape.ts";
import { View } from "./View.tsx";

/** A value from another service. */
export const external: Definition<"external"> = {
  kind: "external",
  label: "External value",
  icon: Plug,
  View,
  Form: lazy(async () => ({ default: (await import("./Form.tsx")).Form })),
  first: () => ({ sourceId: "", url: "", valuePath: "", valueType: "number" }),
  size: { w: 4, h: 2 },
  note: hostOf,
  table: (answer) => tableOf(answer),
};
