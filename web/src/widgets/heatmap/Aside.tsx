import type { ReactNode } from "react";
import { RampKey } from "../../charts/RampKey.tsx";
import { formatExact } from "../../core/numbers.ts";
import type { ViewProps } from "../definition.ts";
import { maxCountOf } from "./shape.ts";

/** What the shades of counts mean. */
export function Aside({ answer }: Pick<ViewProps<"heatmap">, "config" | "answer">): ReactNode {
  return <RampKey maxLabel={formatExact(maxCountOf(answer))} />;
}
