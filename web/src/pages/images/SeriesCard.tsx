import { ClipboardPaste, Plus, Trophy } from "lucide-react";
import { useState } from "react";
import { countInWords } from "../../core/numbers.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { BotDialog } from "./BotDialog.tsx";
import { MAX_SERIES, type Point, type Series, colorAt, freeName, moveSeries } from "./picture.ts";
import { PointsDialog } from "./PointsDialog.tsx";
import styles from "./SeriesCard.module.css";
import { SeriesRow } from "./SeriesRow.tsx";

export interface SeriesCardProps {
  series: readonly Series[];
  /** The colors of the theme that is drawn. */
  palette: readonly string[];
  onChange: (series: readonly Series[]) => void;
}

type Open = { kind: "add" | "paste" | "bot" } | { kind: "edit"; key: number };

/** The lines of a picture, in their order: names, colors and points. */
export function SeriesCard({ series, palette, onChange }: SeriesCardProps) {
  const [open, setOpen] = useState<Open | null>(null);
  const [dragIndex, setDragIndex] = useState<number | null>(null);
  const close = () => setOpen(null);
  const target = open?.kind === "edit" ? series.find(({ key }) => key === open.key) : undefined;
  const change = (key: number, next: Partial<Series>) => onChange(series.map((line) => (line.key === key ? { ...line, ...next } : line)));
  const move = (from: number, to: number) => {
    onChange(moveSeries(series, from, to));
    announce(`${series[from]?.name ?? ""} is number ${Math.max(0, Math.min(to, series.length - 1)) + 1} of ${series.length}.`);
  };
  const addNewSeries = (newSeries: readonly (readonly [string, readonly Point[]])[]) => {
    const [first, ...rest] = newSeries;
    if (target && first) onChange(addSeries(series.map((line) => (line.key === target.key ? { ...line, name: first[0], points: first[1] } : line)), rest));
    else onChange(addSeries(series, newSeries));
    close();
  };
  return (
    <Card title="Series" note={`${series.length} of ${MAX_SERIES}`} tools={<Button small icon={Plus} onClick={() => setOpen({ kind: "add" })}>Add</Button>}>
      {series.length === 0 ? <p className={styles.none}>A series is a line. Its points come from you or from a bot.</p> : null}
      <ol className={styles.rows} aria-label="Series">
        {series.map((line, index) => (
          <SeriesRow
            key={line.key}
            series={line}
            place={index}
            count={series.length}
            color={colorAt(series, line.key, palette)}
            onChange={(next) => change(line.key, next)}
            onEdit={() => setOpen({ kind: "edit", key: line.key })}
            onMove={(to) => move(index, to)}
            onRemove={() => onChange(series.filter(({ key }) => key !== line.key))}
            onDrag={() => setDragIndex(index)}
            onDrop={() => dragIndex !== null && move(dragIndex, index)}
          />
        ))}
      </ol>
      <div className={styles.ways}>
        <Button small icon={Trophy} onClick={() => setOpen({ kind: "bot" })}>
          From a bot
        </Button>
        <Button small icon={ClipboardPaste} onClick={() => setOpen({ kind: "paste" })}>
          Paste CSV or JSON
        </Button>
      </div>
      {open?.kind === "bot" ? <BotDialog count={series.length} onTake={(name, points) => addNewSeries([[name, points]])} onClose={close} /> : null}
      {open && open.kind !== "bot" ? <PointsDialog kind={open.kind} series={target} fallback={freeName("Series 1", series)} onTake={addNewSeries} onClose={close} /> : null}
    </Card>
  );
}

/** Return series with new ones at the end, each under a name of its own. */
function addSeries(series: readonly Series[], newSeries: readonly (readonly [string, readonly Point[]])[]): Series[] {
  const next = [...series];
  for (const [name, points] of newSeries) {
    next.push({ key: Math.max(0, ...next.map(({ key }) => key)) + 1, name: freeName(name, next), points, color: null });
  }
  announce(countInWords(next.length, "series", "series"));
  return next;
}
