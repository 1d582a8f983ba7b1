import { useState } from "react";
import { seriesColor } from "../../charts/colors.ts";
import { Legend } from "../../charts/Legend.tsx";
import { FunnelBars, type StepOutcome } from "../../charts/FunnelBars.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { ViewProps } from "../definition.ts";
import { seriesColorsOf } from "../labelColors.ts";
import { barsOf } from "./shape.ts";
import styles from "./View.module.css";

const NONE_HIDDEN: ReadonlySet<number> = new Set();

/** A funnel, split by the labels of its breakdown; one of them can be chosen. */
export function View({ title, config, answer }: ViewProps<"funnel">) {
  const { onSpot, openSpot } = useDashboardContext();
  const [label, setLabel] = useState<string | null>(null);
  const labels = answer.series?.map((part) => part.label) ?? [];
  const activeLabel = label !== null && labels.includes(label) ? label : null;
  const colors = seriesColorsOf(answer.series ?? [], config.display);
  const color = activeLabel === null ? undefined : colors[labels.indexOf(activeLabel)];
  const allEntries = labels.map((name, index) => ({ name, color: seriesColor(colors[index]), value: "" }));
  const entries = activeLabel === null ? allEntries : allEntries.filter(({ name }) => name === activeLabel);
  const showActors = onSpot && activeLabel === null ? (step: number, outcome: StepOutcome) => onSpot({ step, outcome }) : undefined;
  const { step, outcome } = openSpot ?? {};
  const openStep = activeLabel === null && step !== undefined && outcome !== undefined ? { step, outcome } : undefined;
  return (
    <div className={styles.funnel}>
      {labels.length > 0 && (
        <div className={styles.head}>
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
          <Legend entries={entries} hiddenPositions={NONE_HIDDEN} />
        </div>
      )}
      <FunnelBars title={title} steps={barsOf(answer, config, activeLabel)} color={color} onStep={showActors} openStep={openStep} />
    </div>
  );
}
