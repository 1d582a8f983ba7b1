import { type ReactNode, useEffect, useRef } from "react";
import styles from "./Page.module.css";

export interface PageProps {
  /** The page's name: its only h1, and the beginning of the document's title. */
  title: string;
  /** Links to the pages above this one. */
  crumbs?: ReactNode;
  /** Beside the title: a star, a state. */
  badge?: ReactNode;
  /** Pickers and actions, at the right of the top bar. */
  tools?: ReactNode;
  /** What the title of the document ends with. */
  workspace?: string;
  children: ReactNode;
}

/** The frame of a page: the top bar with its title and tools, and the content below. */
export function Page({ title, crumbs, badge, tools, workspace = "Tallyroom", children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${workspace}`;
  }, [title, workspace]);
  // A new page says its name: keyboard and screen reader go on from its heading, not from where a link was.
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null) heading.current?.focus();
  }, []);
  return (
    <>
      <header className={styles.bar}>
        <div className={styles.name}>
          {crumbs ? <span className={styles.crumbs}>{crumbs}</span> : null}
          <h1 ref={heading} tabIndex={-1} className={styles.title}>
            {title}
          </h1>
          {badge}
        </div>
        {tools ? <div className={styles.tools}>{tools}</div> : null}
      </header>
      <div className={styles.content}>{children}</div>
    </>
  );
}
