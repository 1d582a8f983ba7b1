import { X } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import styles from "./Chip.module.css";

export interface ChipProps {
  /** Pieces split by hairlines (key, operator, value), or one free content. */
  parts: readonly string[] | ReactNode;
  /** What it stands for, in one breath. */
  label: string;
  onRemove?: () => void;
  onClick?: () => void;
}

/** A small thing that is chosen: a filter, a segment, a member of a list. Delete and Backspace remove one that has the focus. */
export function Chip({ parts, label, onRemove, onClick }: ChipProps) {
  const handleKey = (event: KeyboardEvent) => {
    if (!onRemove || (event.key !== "Delete" && event.key !== "Backspace")) return;
    event.preventDefault();
    onRemove();
  };
  const pieces = isPieces(parts) ? (
    parts.map((part, index) => (
      <span key={index} className={styles.piece} data-at={index}>
        {index === 0 ? part : ` ${part}`}
      </span>
    ))
  ) : (
    <span className={styles.piece}>{parts}</span>
  );
  return (
    <span className={styles.chip} role="group" aria-label={label}>
      {onClick ? (
        <button type="button" className={styles.face} onClick={onClick} onKeyDown={handleKey}>
          {pieces}
        </button>
      ) : (
        <span className={styles.face}>{pieces}</span>
      )}
      {onRemove ? (
        <button type="button" className={styles.remove} aria-label={`Remove ${label}`} onClick={onRemove}>
          <X size={12} strokeWidth={1.6} aria-hidden="true" />
        </button>
      ) : null}
    </span>
  );
}

const isPieces = (parts: ChipProps["parts"]): parts is readonly string[] =>
  Array.isArray(parts) && parts.every((part) => typeof part === "string");
