import type { ReactNode } from "react";
import type { ViewProps } from "../definition.ts";
import { Measured } from "../Measured.tsx";
import { displayOf, subjectOf } from "./shape.ts";

/** A metric as a number, a time line or a ranked list. */
export function View({ config, answer, ...viewProps }: ViewProps<"metric">): ReactNode {
  return <Measured {...viewProps} answer={answer} subject={subjectOf(config, answer)} display={displayOf(config)} compare={config.compare ?? null} />;
}
