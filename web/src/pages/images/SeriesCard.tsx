import { ClipboardPaste, Plus, Trophy } from "lucide-react";
import { useState } from "react";
import { countInWords } from "../../core/numbers.ts";
import { moveEntry } from "../../core/order.ts";
import { announce } from "../../ui/announce.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Card } from "../../ui/Card/Card.tsx";
import { BotDialog } from "./BotDialog.tsx";
import { withoutExample } from "./example.ts";
import { MAX_SERIES, type Point, type Series, colorOf, colorOfNext, uniqueName } from "./picture.ts";
import { PointsDialog } from "./PointsDialog.tsx";
import styles from "./SeriesCard.module.css";
import { SeriesRow } from "./SeriesRow.tsx";

export interface SeriesCardProps {
  series: readonly Series[];
  /** The colors of the theme that is drawn. */
  palette: readonly string[];
  onChange: (series: readonly Series[]) => void;
}

type OpenDialog = { kind: "add" | "paste" | "bot" } | { kind: "edit"; key: number };

/** The lines of a picture, in their order: names, colors and points. */
export function SeriesCard({ series, palette, onChange }: SeriesCardProps) {
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const [dragIndex, setDragIndex] = useState<number | null>(null);
  const close = () => setOpenDialog(null);
  const editedSeries = openDialog?.kind === "edit" ? series.find(({ key }) => key === openDialog.key) : undefined;
  const changeSeries = (key: number, changes: Partial<Series>) =>
    onChange(series.map((entry) => (entry.key === key ? { ...entry, ...changes } : entry)));
  const move = (fromIndex: number, toIndex: number) => {
    onChange(moveEntry(series, fromIndex, toIndex));
    announce(`${series[fromIndex]?.name ?? ""} is now number ${Math.max(0, Math.min(toIndex, series.length - 1)) + 1} of ${series.length}.`);
  };
  const addNewSeries = (newSeries: readonly (readonly [string, readonly Point[]])[]) => {
    const [firstNew, ...otherNew] = newSeries;
    if (editedSeries && firstNew) onChange(addSeries(series.map((entry) => (entry.key === editedSeries.key ? { ...entry, name: firstNew[0], points: firstNew[1] } : entry)), otherNew));
    else onChange(addSeries(withoutExample(series), newSeries));
    close();
  };
  return (
    <Card title="Series" note={`${series.length} of ${MAX_SERIES}`} tools={<Button small icon={Plus} onClick={() => setOpenDialog({ kind: "add" })}>Add</Button>}>
      {series.length === 0 ? <p className={styles.none}>A series is a line. Enter its points or get them from a bot.</p> : null}
      <ol className={styles.rows} aria-label="Series">
        {series.map((entry, index) => (
          <SeriesRow
            key={entry.key}
            series={entry}
            index={index}
            seriesCount={series.length}
            color={colorOf(series, entry.key, palette)}
            onChange={(changes) => changeSeries(entry.key, changes)}
            onEdit={() => setOpenDialog({ kind: "edit", key: entry.key })}
            onMove={(toIndex) => move(index, toIndex)}
            onRemove={() => onChange(series.filter(({ key }) => key !== entry.key))}
            onDrag={() => setDragIndex(index)}
            onDrop={() => dragIndex !== null && move(dragIndex, index)}
          />
        ))}
      </ol>
      <div className={styles.ways}>
        <Button small icon={Trophy} onClick={() => setOpenDialog({ kind: "bot" })}>
          From a bot
        </Button>
        <Button small icon={ClipboardPaste} onClick={() => setOpenDialog({ kind: "paste" })}>
          Paste CSV or JSON
        </Button>
      </div>
      {openDialog?.kind === "bot" ? <BotDialog seriesCount={withoutExample(series).length} onAdd={(name, points) => addNewSeries([[name, points]])} onClose={close} /> : null}
      {openDialog && openDialog.kind !== "bot" ? <PointsDialog kind={openDialog.kind} series={editedSeries} fallbackName={uniqueName("Series 1", series)} onSubmitSeries={addNewSeries} onClose={close} /> : null}
    </Card>
  );
}

/** Return series with new ones at the end, each under a name of its own. */
function addSeries(series: readonly Series[], newSeries: readonly (readonly [string, readonly Point[]])[]): Series[] {
  const allSeries = [...series];
  for (const [name, points] of newSeries) {
    allSeries.push({ key: Math.max(0, ...allSeries.map(({ key }) => key)) + 1, name: uniqueName(name, allSeries), points, color: colorOfNext(allSeries) });
  }
  announce(countInWords(allSeries.length, "series", "series"));
  return allSeries;
}
