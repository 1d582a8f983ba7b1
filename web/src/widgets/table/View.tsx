import { ScrollRegion } from "../../charts/ScrollRegion.tsx";
import { State } from "../../ui/States/State.tsx";
import { useDashboardContext } from "../DashboardContext.ts";
import type { ViewProps } from "../definition.ts";
import { cellOf, headOf, isNumeric, shortCellOf } from "./shape.ts";
import styles from "./View.module.css";

/** The newest events, one a row. */
export function View({ title, answer }: ViewProps<"table">) {
  const { timezone, onActor } = useDashboardContext();
  const { columns, rows } = answer;
  const numericColumns = new Set(columns.filter((column) => isNumeric(rows, column)));
  return (
    <ScrollRegion label={title} parts="tbody tr" noun="row" isFlush>
      <table className={styles.table} aria-label={title}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" data-numeric={numericColumns.has(column) || undefined}>
                {headOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map((column) => {
                const text = cellOf(row, column, timezone);
                const actorKey = column === "actor" ? row.event?.actorKey : undefined;
                return (
                  <td key={column} data-column={column} data-numeric={numericColumns.has(column) || undefined} title={text}>
                    {actorKey && onActor ? (
                      <button type="button" onClick={() => onActor(actorKey)}>
                        {text}
                      </button>
                    ) : (
                      shortCellOf(row, column, timezone)
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {answer.rowsWithheld ? (
        <div className={styles.withheld}>
          <State title="Rows aren't published" detail="Only workspace members can see them." />
        </div>
      ) : null}
    </ScrollRegion>
  );
}
