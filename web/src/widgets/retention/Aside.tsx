import type { ReactNode } from "react";
import { RampKey } from "../../charts/RampKey.tsx";

/** What the shades of shares mean. */
export function Aside(): ReactNode {
  return <RampKey maxLabel={"100\u2009%"} />;
}
