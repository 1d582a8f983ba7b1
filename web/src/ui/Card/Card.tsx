import { type ReactNode, createContext, useId } from "react";
import styles from "./Card.module.css";

/** The level of the heading above something: headings within it begin one deeper. */
export const HeadingLevel = createContext(2);

export interface CardProps {
  /** Its name, also to assistive technology. */
  title: string;
  /** A field in place of the title, where it can be changed. */
  titleField?: ReactNode;
  /** What is counted and over which time, next to the title. */
  note?: ReactNode;
  /** A handle at the left of the title. */
  handle?: ReactNode;
  /** A menu or a button at the right of the title. */
  tools?: ReactNode;
  /** It is loading for the first time. */
  busy?: boolean;
  /** It shows old data while new ones are on their way: they stay readable under a moving line. */
  isStale?: boolean;
  /** A line at its foot: how old it is, and the way to refresh it. */
  footer?: ReactNode;
  children: ReactNode;
  level?: 2 | 3;
  /** The content reaches the edges: a table, a list. */
  flush?: boolean;
  /** The name after "#" in an address that leads to it. */
  anchor?: string | undefined;
}

/** A section on a surface of its own, named by its title. */
export function Card({ title, titleField, note, handle, tools, busy = false, isStale = false, footer, children, level = 2, flush = false, anchor }: CardProps) {
  const id = useId();
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <section
      id={anchor}
      tabIndex={anchor === undefined ? undefined : -1}
      className={styles.card}
      aria-labelledby={id}
      aria-busy={busy || isStale || undefined}
      data-stale={isStale || undefined}
    >
      <header className={styles.head}>
        {handle}
        <Heading id={id} className={styles.title} data-hidden={titleField ? true : undefined}>
          {title}
        </Heading>
        {titleField}
        {note ? <span className={styles.note}>{note}</span> : null}
        {tools ? <div className={styles.tools}>{tools}</div> : null}
      </header>
      <div className={styles.body} data-flush={flush || undefined}>
        <HeadingLevel value={level}>{children}</HeadingLevel>
      </div>
      {footer ? <footer className={styles.foot}>{footer}</footer> : null}
    </section>
  );
}
