import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";
import { hostOf, missingInWords, tableOf } from "./shape.ts";

/** A value from another service. */
export const external: Definition<"external"> = {
  kind: "external",
  label: "External value",
  View: lazily(() => import("./View.tsx"), "View"),
  Form: lazily(() => import("./Form.tsx"), "Form"),
  isSentence: true,
  initialConfig: () => ({ sourceId: "", url: "", valuePath: "", valueType: "number" }),
  missingInWords,
  size: { w: 4, h: 2 },
  outline: () => ({ form: "number", partCount: 1 }),
  note: hostOf,
  table: (answer) => tableOf(answer),
};
