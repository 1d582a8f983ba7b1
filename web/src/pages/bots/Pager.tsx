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
  rowNoun: string;
  /** How many a page has. */
  pageSize: number;
  /** Inside a card. */
  isInCard?: boolean;
}

/** Which rows of all are shown, and the ways to those before and after them; the address has the place as `offset`. */
export function Pager({ offset, rowCount, total, rowNoun, pageSize, isInCard = false }: PagerProps) {
  const navigate = useNavigate();
  const goToOffset = (newOffset: number) =>
    void navigate({ to: ".", search: ({ offset: _offset, ...rest }: { offset?: string }) => (newOffset > 0 ? { ...rest, offset: String(newOffset) } : rest), resetScroll: !isInCard });
  const isAllShown = offset === 0 && rowCount >= total;
  return (
    <nav className={styles.pager} data-in-card={isInCard || undefined} aria-label={`Pages of ${rowNoun}s`}>
      <span>{isAllShown ? countInWords(total, rowNoun) : `${formatExact(offset + 1)} to ${formatExact(offset + rowCount)} of ${formatExact(total)}`}</span>
      {isAllShown ? null : (
        <span className={styles.ways}>
          <Button small disabled={offset === 0} onClick={() => goToOffset(Math.max(0, offset - pageSize))}>
            Previous
          </Button>
          <Button small disabled={offset + rowCount >= total || rowCount < pageSize} onClick={() => goToOffset(offset + pageSize)}>
            Next
          </Button>
        </span>
      )}
    </nav>
  );
}
