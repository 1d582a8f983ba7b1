import { Pencil } from "lucide-react";
import { useState } from "react";
import type { Annotation } from "../../api/annotations.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { cssColorOf } from "../../widgets/annotationColors.ts";
import styles from "./AnnotationList.module.css";
import { whenInWords } from "./annotationTime.ts";

export interface AnnotationListProps {
  /** The newest first. */
  annotations: readonly Annotation[];
  timezone: string;
  /** Absent for those who may not. */
  onEdit: ((annotation: Annotation) => void) | undefined;
}

/** So many rows at a time: a workspace may have 10,000. */
const ROWS_PER_PAGE = 100;

/** What happened and when, the newest first. */
export function AnnotationList({ annotations, timezone, onEdit }: AnnotationListProps) {
  const [visibleCount, setVisibleCount] = useState(ROWS_PER_PAGE);
  const visibleAnnotations = annotations.slice(0, visibleCount);
  const hiddenCount = annotations.length - visibleAnnotations.length;
  return (
    <div>
      <ul className={styles.list} aria-label="Annotations">
        {visibleAnnotations.map((annotation) => (
          <AnnotationRow key={annotation.id} annotation={annotation} timezone={timezone} onEdit={onEdit} />
        ))}
      </ul>
      <div className={styles.foot}>
        <span>{hiddenCount > 0 ? `${formatExact(visibleAnnotations.length)} of ${countInWords(annotations.length, "annotation")}` : countInWords(annotations.length, "annotation")}</span>
        {hiddenCount > 0 ? (
          <Button small onClick={() => setVisibleCount(visibleCount + ROWS_PER_PAGE)}>
            Show {formatExact(Math.min(hiddenCount, ROWS_PER_PAGE))} more
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function AnnotationRow({ annotation, timezone, onEdit }: Pick<AnnotationListProps, "timezone" | "onEdit"> & { annotation: Annotation }) {
  const { label, description, color } = annotation;
  return (
    <li className={styles.row}>
      <i className={styles.mark} style={{ color: cssColorOf(color) }} />
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
