import { ScrollRegion } from "../../charts/ScrollRegion.tsx";
import type { ViewProps } from "../definition.ts";
import { Markdown } from "./Markdown.tsx";

/** A note. */
export function View({ title, answer }: ViewProps<"note">) {
  return (
    <ScrollRegion label={title} parts=":scope > * > *" noun="paragraph">
      <Markdown text={answer.text} />
    </ScrollRegion>
  );
}
