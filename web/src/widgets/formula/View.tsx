import type { ReactNode } from "react";
import type { ViewProps } from "../definition.ts";
import { Measured } from "../Measured.tsx";
import { subjectOf } from "./shape.ts";

/** A formula as a number, a time line or a ranked list. */
export function View({ config, answer, ...viewProps }: ViewProps<"formula">): ReactNode {
  return <Measured {...viewProps} answer={answer} subject={subjectOf(config, answer)} display={config.display} compare={config.compare ?? null} />;
}
