import type { ReactNode } from "react";
import styles from "./Legend.module.css";

/** A series in the legend: its color, name, and number in words. */
export interface LegendEntry {
  name: string;
  color: string;
  value: string;
  dashes?: string | undefined;
}

export interface LegendProps {
  entries: readonly LegendEntry[];
  hiddenPositions: ReadonlySet<number>;
  /** Hide or show a series; without it, the legend only tells. */
  onToggle?: ((position: number) => void) | undefined;
  /** What the series are compared with. */
  compared?: { name: string; value: string } | undefined;
}

/** The series of a chart, with their numbers; each can be hidden. */
export function Legend({ entries, hiddenPositions, onToggle, compared }: LegendProps): ReactNode {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {entries.map((entry, position) => (
        <li key={position}>
          {onToggle && entries.length > 1 ? (
            <button
              type="button"
              aria-pressed={!hiddenPositions.has(position)}
              title={hiddenPositions.has(position) ? `Show ${entry.name}` : `Hide ${entry.name}`}
              onClick={() => onToggle(position)}
            >
              <EntryContent {...entry} />
            </button>
          ) : (
            <span>
              <EntryContent {...entry} />
            </span>
          )}
        </li>
      ))}
      {compared && (
        <li>
          <span>
            <i data-compared style={{ color: "var(--prev)" }} />
            <em>{compared.name}</em> <b>{compared.value}</b>
          </span>
        </li>
      )}
    </ul>
  );
}

function EntryContent({ name, color, value, dashes }: LegendEntry): ReactNode {
  return (
    <>
      {dashes === undefined ? (
        <i data-square style={{ color }} />
      ) : (
        <svg width="16" height="10" aria-hidden="true">
          <path d="M0 5h16" strokeDasharray={dashes} style={{ stroke: color }} />
        </svg>
      )}
      <em>{name}</em> {value && <b>{value}</b>}
    </>
  );
}
