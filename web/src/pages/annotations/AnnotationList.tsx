import { Pencil } from "lucide-react";
import { useState } from "react";
import type { Annotation } from "../../api/annotations.ts";
import { counted, exact } from "../../core/numbers.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { shownColor } from "../../widgets/annotationColors.ts";
import styles from "./AnnotationList.module.css";
import { whenInWords } from "./when.ts";

export interface AnnotationListProps {
  /** The newest first. */
  annotations: readonly Annotation[];
  timezone: string;
  /** Absent for those who may not. */
  onEdit: ((annotation: Annotation) => void) | undefined;
}

/** So many rows at a time: a workspace may have 10,000. */
const PAGE = 100;

/** What happened and when, the newest first. */
export function AnnotationList({ annotations, timezone, onEdit }: AnnotationListProps) {
  const [most, setMost] = useState(PAGE);
  const rows = annotations.slice(0, most);
  const left = annotations.length - rows.length;
  return (
    <div>
      <ul className={styles.list} aria-label="Annotations">
        {rows.map((annotation) => (
          <Row key={annotation.id} annotation={annotation} timezone={timezone} onEdit={onEdit} />
        ))}
      </ul>
      <div className={styles.foot}>
        <span>{left > 0 ? `${exact(rows.length)} of ${counted(annotations.length, "annotation")}` : counted(annotations.length, "annotation")}</span>
        {left > 0 ? (
          <Button small onClick={() => setMost(most + PAGE)}>
            Show {exact(Math.min(left, PAGE))} more
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function Row({ annotation, timezone, onEdit }: Pick<AnnotationListProps, "timezone" | "onEdit"> & { annotation: Annotation }) {
  const { label, description, color } = annotation;
  return (
    <li className={styles.row}>
      <i className={styles.mark} style={{ color: shownColor(color) }} />
      <span className={styles.when}>{whenInWords(annotation, timezone)}</span>
      <div className={styles.words}>
        <p className={styles.label} dir="auto">
          {label}
        </p>
        {description ? (
          <p className={styles.description} dir="auto">
            {description}
          </p>
        ) : null}
      </div>
      {onEdit ? <IconButton small label={`Edit ${label}`} icon={Pencil} onClick={() => onEdit(annotation)} /> : null}
    </li>
  );
}
