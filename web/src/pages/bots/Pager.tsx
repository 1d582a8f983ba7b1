import { useNavigate } from "@tanstack/react-router";
import { Button } from "../../ui/Button/Button.tsx";
import { countInWords, formatExact } from "../../core/numbers.ts";
import styles from "./Pager.module.css";

export interface PagerProps {
  /** How many come before the first one shown. */
  offset: number;
  rowCount: number;
  total: number;
  /** What is counted: "bot". */
  of: string;
  /** How many a page has. */
  step: number;
  /** Inside a card. */
  inCard?: boolean;
}

/** Which rows of all are shown, and the ways to those before and after them; the address has the place as `offset`. */
export function Pager({ offset, rowCount, total, of, step, inCard = false }: PagerProps) {
  const navigate = useNavigate();
  const goToOffset = (to: number) =>
    void navigate({ to: ".", search: ({ offset: _offset, ...rest }: { offset?: string }) => (to > 0 ? { ...rest, offset: String(to) } : rest), resetScroll: !inCard });
  const isWhole = offset === 0 && rowCount >= total;
  return (
    <nav className={styles.pager} data-in-card={inCard || undefined} aria-label={`Pages of ${of}s`}>
      <span>{isWhole ? countInWords(total, of) : `${formatExact(offset + 1)} to ${formatExact(offset + rowCount)} of ${formatExact(total)}`}</span>
      {isWhole ? null : (
        <span className={styles.ways}>
          <Button small disabled={offset === 0} onClick={() => goToOffset(Math.max(0, offset - step))}>
            Previous
          </Button>
          <Button small disabled={offset + rowCount >= total || rowCount < step} onClick={() => goToOffset(offset + step)}>
            Next
          </Button>
        </span>
      )}
    </nav>
  );
}
