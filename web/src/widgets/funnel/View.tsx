import { useState } from "react";
import { FunnelBars, type StepOutcome } from "../../charts/FunnelBars.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { ViewProps } from "../definition.ts";
import { barsOf } from "./shape.ts";
import styles from "./View.module.css";

/** A funnel; with a breakdown, one of its labels can be chosen. */
export function View({ title, config, answer }: ViewProps<"funnel">) {
  const { onSpot } = useDashboardContext();
  const [label, setLabel] = useState<string | null>(null);
  const labels = answer.series?.map((part) => part.label) ?? [];
  const activeLabel = label !== null && labels.includes(label) ? label : null;
  const showActors = onSpot && activeLabel === null ? (step: number, outcome: StepOutcome) => onSpot({ step, outcome }) : undefined;
  return (
    <div className={styles.funnel}>
      {labels.length > 0 && (
        <label>
          <span>{config.breakdown ?? "Label"}</span>
          <select value={activeLabel ?? ""} onChange={(event) => setLabel(event.target.value || null)}>
            <option value="">All</option>
            {labels.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </select>
        </label>
      )}
      <FunnelBars title={title} steps={barsOf(answer, config, activeLabel)} onStep={showActors} />
    </div>
  );
}
