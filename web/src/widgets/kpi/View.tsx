import type { CSSProperties } from "react";
import { BigNumber } from "../../charts/BigNumber.tsx";
import { Sparkline } from "../../charts/Sparkline.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { ViewProps } from "../definition.ts";
import { numbersPerLine } from "../outline.ts";
import { cellsPerRow, cellsOf } from "./shape.ts";
import styles from "./View.module.css";

/** Up to six numbers side by side, each above its course. */
export function View({ config, answer, title, rowCount }: ViewProps<"kpi">) {
  const { onSpot } = useDashboardContext();
  const cells = cellsOf(answer, config);
  const { onPhone, onTablet } = numbersPerLine(cells.length);
  const style = { "--beside": cellsPerRow(cells.length, rowCount), "--on-tablet": onTablet, "--on-phone": onPhone } as CSSProperties;
  return (
    <ul className={styles.strip} aria-label={title} style={style}>
      {cells.map(({ sparkline, ...cell }, itemIndex) => (
        <li key={itemIndex}>
          <BigNumber {...cell} unit={config.display?.unit} onClick={onSpot && (() => onSpot({ item: itemIndex }))} />
          {sparkline && (
            <div className={styles.course}>
              <Sparkline {...sparkline} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
