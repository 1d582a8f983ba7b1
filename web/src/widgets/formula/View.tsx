import type { ViewProps } from "../definition.ts";
import { MetricView } from "../MetricView.tsx";
import { subjectOf } from "./shape.ts";

/** A formula as a number, a time line or a ranked list. */
export function View({ title, config, answer }: ViewProps<"formula">) {
  return <MetricView title={title} answer={answer} subject={subjectOf(config, answer)} display={config.display} compare={config.compare ?? null} />;
}
