import { type ReactNode, useId } from "react";
import styles from "./Section.module.css";

export interface SectionProps {
  /** What stands behind "#" in the address that leads to it. */
  id: string;
  title: string;
  /** A word beside the title. */
  badge?: ReactNode;
  /** A line below the title: what it is for. */
  lead?: ReactNode;
  /** At the right of the title: the one action, or a note. */
  tools?: ReactNode;
  children: ReactNode;
}

/** A part of the settings, named by its title. */
export function Section({ id, title, badge, lead, tools, children }: SectionProps) {
  const headingId = useId();
  return (
    <section id={id} tabIndex={-1} className={styles.section} aria-labelledby={headingId}>
      <header className={styles.head}>
        <h2 id={headingId} className={styles.title}>
          {title}
        </h2>
        {badge}
        {tools ? <div className={styles.tools}>{tools}</div> : null}
      </header>
      {lead ? <p className={styles.lead}>{lead}</p> : null}
      {children}
    </section>
  );
}
