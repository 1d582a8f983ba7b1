import { StickyNote } from "lucide-react";
import { lazy } from "react";
import { type Definition } from "../definition.ts";
import { View } from "./View.tsx";

/** Words beside the numbers. */
export const note: Definition<"note"> = {
  kind: "note",
  label: "Note",
  icon: StickyNote,
  View,
  Form: lazy(async () => ({ default: (await import("./Form.tsx")).Form })),
  first: () => ({ text: "" }),
  size: { w: 4, h: 2 },
  note: () => "",
  table: ({ text }) => ({ columns: [{ label: "Text", numeric: false }], rows: text.split("\n").map((line) => [line]) }),
};
