import { splitCode } from "./pieces.ts";
import styles from "./Code.module.css";

/** Code with its texts in color. It can be scrolled with the keyboard. */
export function Code({ label, text }: { label: string; text: string }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable
    <pre className={styles.code} role="group" aria-label={label} tabIndex={0}>
      <code>
        {splitCode(text).map(({ text: piece, isQuoted }, index) => (isQuoted ? <span key={index}>{piece}</span> : piece))}
      </code>
    </pre>
  );
}
