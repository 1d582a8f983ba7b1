import { useState } from "react";
import { FormDialog } from "../../ui/Dialog/FormDialog.tsx";
import { TextArea } from "../../ui/Field/TextArea.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import styles from "./Dialogs.module.css";
import type { Point, Series } from "./picture.ts";
import { readPoints, pointsToCsv } from "./points.ts";

export interface PointsDialogProps {
  kind: "add" | "paste" | "edit";
  /** The series whose points change. */
  series: Series | undefined;
  /** The name of a series that has none. */
  fallbackName: string;
  onSubmitSeries: (series: [name: string, points: Point[]][]) => void;
  onClose: () => void;
}

const TITLES = { add: "Add a series", paste: "Paste CSV or JSON", edit: "Points" };
const EXAMPLE = "2026-11-19,900\n2026-11-20,1200";

/** Take points as CSV or JSON: of one series, or of several that the text names. */
export function PointsDialog({ kind, series, fallbackName, onSubmitSeries, onClose }: PointsDialogProps) {
  const [name, setName] = useState(series?.name ?? "");
  const [text, setText] = useState(series ? pointsToCsv(series.points) : "");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = () => {
    const result = readPoints(text, name.trim() || fallbackName);
    if ("problem" in result) setProblem(result.problem);
    else onSubmitSeries(result.series);
  };
  return (
    <FormDialog
      title={TITLES[kind]}
      width={520}
      submit={kind === "edit" ? "Save" : "Add"}
      onSubmit={submit}
      onClose={onClose}
    >
      {kind === "paste" ? null : <TextField label="Name" autoComplete="off" value={name} onChange={setName} placeholder={fallbackName} maxLength={100} />}
      <TextArea
        label="CSV or JSON points"
        rows={9}
        spellCheck={false}
        placeholder={EXAMPLE}
        value={text}
        onChange={(next) => {
          setText(next);
          setProblem(null);
        }}
        error={problem}
        hint={
          <>
            CSV: one time and value per line. With several series, start each line with the series name. JSON: <code className={styles.code}>{'[{"id": "Teapot", "x": 1763000000, "y": 900}]'}</code>
          </>
        }
      />
    </FormDialog>
  );
}
