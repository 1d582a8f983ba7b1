import type { ReactNode } from "react";
import type { ViewProps } from "../definition.ts";
import { Markdown } from "./Markdown.tsx";

/** A note. */
export function View({ answer }: ViewProps<"note">): ReactNode {
  return <Markdown text={answer.text} />;
}
