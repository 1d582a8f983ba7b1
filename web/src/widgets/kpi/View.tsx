import type { CSSProperties } from "react";
import { BigNumber } from "../../charts/BigNumber.tsx";
import { Sparkline } from "../../charts/Sparkline.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { ViewProps } from "../definition.ts";
import { cellsPerRow, cellsOf } from "./shape.ts";
import styles from "./View.module.css";

/** Up to six numbers side by side. */
export function View({ config, answer, title, rows }: ViewProps<"kpi">) {
  const { onSpot } = useDashboardContext();
  const cells = cellsOf(answer, config);
  const size = { "--least": `${cells.length > 3 ? 130 : 150}px`, "--beside": cellsPerRow(cells.length, rows) } as CSSProperties;
  return (
    <ul className={styles.strip} aria-label={title} style={size}>
      {cells.map(({ course, ...cell }, item) => (
        <li key={item}>
          <BigNumber {...cell} unit={config.display?.unit} onClick={onSpot && (() => onSpot({ item }, cell.label))} />
          {course && (
            <div className={styles.course}>
              <Sparkline values={course} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
