import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";
import { measuredOutline } from "../outline.ts";
import { eventsFieldOf, missingInWords } from "../words.ts";
import { spotLinesOf } from "../metricShapes.ts";
import { noteOf, tableOf } from "./shape.ts";
import { View } from "./View.tsx";

/** One measure: over time, as a number, or ranked by a property. */
export const metric: Definition<"metric"> = {
  kind: "metric",
  label: "Over time",
  View,
  Form: lazily(() => import("./Form.tsx"), "Form"),
  isSentence: true,
  initialConfig: ({ event }) => ({ ...eventsFieldOf(event), measure: "count", overTime: true }),
  missingInWords,
  size: { w: 6, h: 4 },
  outline: measuredOutline,
  note: noteOf,
  spots: (answer, { display }, timezone) => spotLinesOf(answer, timezone, display),
  table: tableOf,
};
