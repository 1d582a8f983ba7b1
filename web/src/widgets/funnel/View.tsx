import { useState } from "react";
import { seriesColor } from "../../charts/colors.ts";
import { FunnelBars, type StepOutcome } from "../../charts/FunnelBars.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { ViewProps } from "../definition.ts";
import { seriesColorsOf } from "../labelColors.ts";
import { barsOf } from "./shape.ts";
import styles from "./View.module.css";

/** A funnel; with a breakdown, one of its labels can be chosen. */
export function View({ title, config, answer }: ViewProps<"funnel">) {
  const { onSpot, openSpot } = useDashboardContext();
  const [label, setLabel] = useState<string | null>(null);
  const labels = answer.series?.map((part) => part.label) ?? [];
  const activeLabel = label !== null && labels.includes(label) ? label : null;
  const color = activeLabel === null ? undefined : seriesColorsOf(answer.series ?? [], config.display)[labels.indexOf(activeLabel)];
  const showActors = onSpot && activeLabel === null ? (step: number, outcome: StepOutcome) => onSpot({ step, outcome }) : undefined;
  const { step, outcome } = openSpot ?? {};
  const openStep = activeLabel === null && step !== undefined && outcome !== undefined ? { step, outcome } : undefined;
  return (
    <div className={styles.funnel}>
      {labels.length > 0 && (
        <label>
          <span>{config.breakdown ?? "Label"}</span>
          {color === undefined ? null : <i style={{ background: seriesColor(color) }} />}
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
      <FunnelBars title={title} steps={barsOf(answer, config, activeLabel)} color={color} onStep={showActors} openStep={openStep} />
    </div>
  );
}
