import type { ViewProps } from "../definition.ts";
import { Markdown } from "./Markdown.tsx";

/** A note. */
export function View({ answer }: ViewProps<"note">) {
  return <Markdown text={answer.text} />;
}
