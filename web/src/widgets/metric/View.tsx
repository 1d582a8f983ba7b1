import type { ViewProps } from "../definition.ts";
import { MetricView } from "../MetricView.tsx";
import { displayOf, subjectOf } from "./shape.ts";

/** A metric as a number, a time line or a ranked list. */
export function View({ title, config, answer }: ViewProps<"metric">) {
  return <MetricView title={title} answer={answer} subject={subjectOf(config, answer)} display={displayOf(config)} compare={config.compare ?? null} />;
}
