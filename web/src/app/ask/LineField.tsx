import { type ComponentProps, useLayoutEffect, useRef, useState } from "react";
import type { Mark } from "../../questions/question.ts";
import styles from "./LineField.module.css";
import type { Line } from "./line.ts";

export interface LineFieldProps extends Pick<ComponentProps<"input">, "aria-label" | "aria-controls" | "aria-activedescendant" | "placeholder" | "onKeyDown"> {
  line: Line;
  /** What is underlined, in the order of the line. */
  marks: readonly Mark[];
  onLine: (line: Line) => void;
}

/** The field of the palette, with what a question does not know underlined. */
export function LineField({ line: { text, cursor }, marks, onLine, ...inputProps }: LineFieldProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const [scrollLeft, setScrollLeft] = useState(0);
  useLayoutEffect(() => {
    // A completion moves the cursor; what somebody types has moved it already.
    const input = inputRef.current;
    if (input && input.selectionEnd !== cursor) input.setSelectionRange(cursor, cursor);
  }, [text, cursor]);
  const takeLine = ({ value, selectionEnd }: HTMLInputElement) => onLine({ text: value, cursor: selectionEnd ?? value.length });
  return (
    <span className={styles.field}>
      <input
        {...inputProps}
        ref={inputRef}
        className={styles.input}
        role="combobox"
        aria-expanded="true"
        aria-controls={inputProps["aria-controls"]}
        autoComplete="off"
        spellCheck={false}
        // eslint-disable-next-line jsx-a11y/no-autofocus -- opening the palette is asking to type
        autoFocus
        value={text}
        onChange={(event) => takeLine(event.target)}
        onSelect={(event) => {
          const { selectionStart, selectionEnd } = event.currentTarget;
          if (selectionStart === selectionEnd && selectionEnd !== cursor) takeLine(event.currentTarget);
        }}
        onScroll={(event) => setScrollLeft(event.currentTarget.scrollLeft)}
      />
      {marks.length > 0 ? (
        <span className={styles.marks} aria-hidden="true" style={{ translate: `${-scrollLeft}px 0` }}>
          <Underlined text={text} marks={marks} />
        </span>
      ) : null}
    </span>
  );
}

/** The line in invisible letters, so that its marks are under those of the field. */
function Underlined({ text, marks }: { text: string; marks: readonly Mark[] }) {
  const starts = [0, ...marks.map(({ end }) => end)];
  return (
    <>
      {marks.map(({ start, end }, index) => (
        <span key={start}>
          {text.slice(starts[index], start)}
          <u>{text.slice(start, end)}</u>
        </span>
      ))}
    </>
  );
}
