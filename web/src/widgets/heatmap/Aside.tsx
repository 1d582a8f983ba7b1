import type { ReactNode } from "react";
import { RampKey } from "../../charts/RampKey.tsx";
import { exact } from "../../core/numbers.ts";
import type { ViewProps } from "../definition.ts";
import { mostOf } from "./shape.ts";

/** What the shades of counts mean. */
export function Aside({ answer }: Pick<ViewProps<"heatmap">, "config" | "answer">): ReactNode {
  return <RampKey most={exact(mostOf(answer))} />;
}
