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
  const { onSpot, openSpot } = useDashboardContext();
  const cells = cellsOf(answer, config);
  const hasGoals = cells.some(({ goal }) => goal !== null);
  const { onPhone, onTablet } = numbersPerLine(cells.length);
  const style = { "--beside": cellsPerRow(cells.length, rowCount, hasGoals), "--on-tablet": onTablet, "--on-phone": onPhone } as CSSProperties;
  return (
    <ul className={styles.strip} aria-label={title} data-goals={hasGoals || undefined} style={style}>
      {cells.map(({ sparkline, ...cell }, itemIndex) => (
        <li key={itemIndex}>
          <BigNumber {...cell} unit={config.display?.unit} onClick={onSpot && (() => onSpot({ item: itemIndex }))} isOpen={openSpot?.item === itemIndex} />
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
