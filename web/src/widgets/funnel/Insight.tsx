import { DataTableView } from "../../charts/DataTableView.tsx";
import { RankBars } from "../../charts/RankBars.tsx";
import { formatExact } from "../../core/numbers.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { InsightProps } from "../definition.ts";
import styles from "./Insight.module.css";
import { stepNames } from "./shape.ts";
import { largestStop, ratesTable, stopInWords } from "./stops.ts";

/** Where a funnel stops most, by the labels of its breakdown, and how the labels differ from step to step. */
export function Insight({ config, answer }: InsightProps<"funnel">) {
  const { onSpot } = useDashboardContext();
  const stop = largestStop(answer);
  if (stop === null) return null;
  const names = stepNames(answer, config);
  const breakdown = config.breakdown ?? "label";
  const rows = stop.parts.map(({ label, stoppedCount }) => ({ label, value: stoppedCount, text: formatExact(stoppedCount), share: stoppedCount / stop.stoppedCount }));
  return (
    <div className={styles.insight}>
      <Card title="Where it stops most" note={`${names[stop.index] ?? ""} → ${names[stop.index + 1] ?? ""}`}>
        <p className={styles.words}>{stopInWords(stop)}</p>
        {rows.length > 0 && (
          <div className={styles.part}>
            <RankBars title={`Stopped by ${breakdown}`} rows={rows} />
          </div>
        )}
        {onSpot && (
          <Button small onClick={() => onSpot({ step: stop.index + 1, outcome: "stopped" })}>
            See the {formatExact(stop.stoppedCount)}
          </Button>
        )}
      </Card>
      {answer.series && answer.series.length > 0 && (
        <Card title={`By ${breakdown}`} note="% of the step before">
          <div className={styles.part}>
            <DataTableView label={`Rates by ${breakdown}`} {...ratesTable(answer, names, breakdown)} />
          </div>
        </Card>
      )}
    </div>
  );
}
