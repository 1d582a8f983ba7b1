import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { ReactNode } from "react";
import type { Differences } from "../../../api/widgets.ts";
import { IconButton } from "../../../ui/Button/IconButton.tsx";
import type { NamedSpot } from "../../../widgets/definition.ts";
import { bandInWords } from "./bandWords.ts";
import styles from "./PanelHead.module.css";

export interface PanelHeadProps {
  headingId: string;
  title: string;
  /** Which of its numbers it is; "" where the title says it. */
  words: string;
  /** Undefined before the answer of the widget is there. */
  current: NamedSpot | undefined;
  /** Where the number usually is: undefined before it is known and for numbers without a band, null if there is too little history. */
  usual: Differences["usual"];
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

/** Which number is open: its card, its place, its value, where it usually is, and the way to its neighbors. */
export function PanelHead({ headingId, title, words, current, usual, onPrevious, onNext, onClose }: PanelHeadProps) {
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <h2 id={headingId} tabIndex={-1} className={styles.title}>
          {title}
          {words ? <span className={styles.place}> {words}</span> : null}
        </h2>
        {onPrevious ?? onNext ? (
          <>
            <IconButton small label="Previous number" icon={ChevronUp} disabled={!onPrevious} onClick={onPrevious} />
            <IconButton small label="Next number" icon={ChevronDown} disabled={!onNext} onClick={onNext} />
          </>
        ) : null}
        <IconButton small label="Close" icon={X} onClick={onClose} />
      </div>
      <p className={styles.number}>
        <span data-value>{current ? current.format(current.value) : "\u00a0"}</span> <Band current={current} usual={usual} />
      </p>
    </header>
  );
}

function Band({ current, usual }: Pick<PanelHeadProps, "current" | "usual">): ReactNode {
  if (!current || usual === undefined) return null;
  if (usual === null) return <small>no usual band: fewer than four weeks to compare with</small>;
  const band = bandInWords(current.value, usual, current.format);
  if (!band) return null;
  return (
    <>
      <small data-band={band.place}>{band.verdict}</small> <small>{band.range}</small>
    </>
  );
}
