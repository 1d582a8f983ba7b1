import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";
import { measuredOutline } from "../outline.ts";
import { eventsFieldOf, missingInWords } from "../words.ts";
import { spotLinesOf } from "../metricShapes.ts";
import { noteOf, tableOf } from "./shape.ts";
import { View } from "./View.tsx";

/** Arithmetic with up to four measures. */
export const formula: Definition<"formula"> = {
  kind: "formula",
  label: "Formula",
  View,
  Form: lazily(() => import("./Form.tsx"), "Form"),
  isSentence: true,
  initialConfig: ({ event }) => ({
    a: { ...eventsFieldOf(event), measure: "count" },
    b: { ...eventsFieldOf(event), measure: "uniq_actors" },
    expression: "a / b",
    overTime: true,
  }),
  missingInWords: ({ a, b, c, d }) => [a, b, c, d].map((part) => (part ? missingInWords(part) : "")).find(Boolean) ?? "",
  size: { w: 6, h: 4 },
  outline: measuredOutline,
  note: noteOf,
  spots: (answer, { display }, timezone) => spotLinesOf(answer, timezone, display),
  table: tableOf,
};
