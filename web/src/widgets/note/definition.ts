import { lazily } from "../../ui/lazily.ts";
import type { Definition } from "../definition.ts";

/** Words beside the numbers. */
export const note: Definition<"note"> = {
  kind: "note",
  label: "Note",
  View: lazily(() => import("./View.tsx"), "View"),
  Form: lazily(() => import("./Form.tsx"), "Form"),
  isSentence: true,
  initialConfig: () => ({ text: "" }),
  size: { w: 4, h: 2 },
  outline: () => ({ form: "text", partCount: 1 }),
  knownAnswer: ({ text }) => ({ kind: "note", text }),
  note: () => "",
  table: ({ text }) => ({ columns: [{ label: "Text", numeric: false }], rows: text.split("\n").map((line) => [line]) }),
};
