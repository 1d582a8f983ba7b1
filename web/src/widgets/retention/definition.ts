import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";
import { Aside } from "./Aside.tsx";
import { noteOf, spotsOf, tableOf } from "./shape.ts";

/** How many newcomers of each period come back. */
export const retention: Definition<"retention"> = {
  kind: "retention",
  label: "Retention",
  View: lazily(() => import("./View.tsx"), "View"),
  Aside,
  Form: lazily(() => import("./Form.tsx"), "Form"),
  isSentence: true,
  initialConfig: ({ event }) => ({ cohortEvent: event, granularity: "week" }),
  missingInWords: ({ cohortEvent }) => (cohortEvent === "" ? "Choose the event that starts a cohort." : ""),
  size: { w: 8, h: 4 },
  outline: ({ periods = 8 }) => ({ form: "retention", partCount: periods }),
  note: noteOf,
  spots: (answer, _config, timezone) => spotsOf(answer, timezone),
  table: (answer, _config, timezone) => tableOf(answer, timezone),
};
