import { useEffect, useId, useState, type ReactNode } from "react";
import { dateMinute } from "../core/time.ts";
import styles from "./Annotations.module.css";
import { clusterMarks, type Cluster } from "./clusters.ts";
import type { Plot } from "./plot.ts";
import type { Mark } from "./series.ts";

/** Of marks that stand together, so many are named. */
const MAX_MARKS = 8;

/** Marks above the plot, each a button that shows what it marks; marks close together are one. */
export function Annotations({ plot, marks, zone }: { plot: Plot; marks: readonly Mark[]; zone: string }): ReactNode {
  return clusterMarks(marks, plot.xOfTime, plot.width).map((cluster) => (
    <Flag key={cluster.marks[0]?.id} cluster={cluster} plot={plot} zone={zone} />
  ));
}

function Flag({ cluster, plot, zone }: { cluster: Cluster; plot: Plot; zone: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const cardId = useId();
  const { marks, count, x, label, isLabelled, edge } = cluster;
  const [firstMark] = marks;
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = (event: KeyboardEvent): void => {
      if (event.key === "Escape") setOpen(false);
    };
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  }, [isOpen]);
  return (
    <div className={styles.flag} data-short={firstMark?.isShort} style={{ left: `${(x / plot.width) * 100}%` }}>
      <button
        type="button"
        aria-label={clusterName(cluster)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? cardId : undefined}
        data-labelled={isLabelled || undefined}
        data-edge={edge}
        onClick={() => setOpen(!isOpen)}
        onBlur={() => setOpen(false)}
      >
        <i style={{ color: firstMark?.color }} />
        {count > 1 ? <span data-count>{count}</span> : isLabelled && <span>{label}</span>}
      </button>
      {isOpen && (
        <ul id={cardId} className={styles.card} data-edge={x > plot.width / 2 ? "end" : undefined}>
          {marks.slice(0, MAX_MARKS).map((mark) => (
            <MarkItem key={mark.id} mark={mark} zone={zone} />
          ))}
          {marks.length > MAX_MARKS && <li>and {marks.length - MAX_MARKS} more</li>}
        </ul>
      )}
    </div>
  );
}

/** Name a cluster by its first labels. */
function clusterName({ marks, label }: Cluster): string {
  if (marks.length < 2) return label;
  const moreText = marks.length > MAX_MARKS ? ` and ${marks.length - MAX_MARKS} more` : "";
  return `${label}: ${marks.slice(0, MAX_MARKS).map((mark) => mark.label).join(", ")}${moreText}`;
}

function MarkItem({ mark, zone }: { mark: Mark; zone: string }): ReactNode {
  return (
    <li>
      <b>{mark.label}</b>
      <span>
        {dateMinute(mark.time, zone)}
        {mark.timeEnd !== null && ` to ${dateMinute(mark.timeEnd, zone)}`}
      </span>
      {mark.description && <p>{mark.description}</p>}
    </li>
  );
}
