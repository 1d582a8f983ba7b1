import { type ReactNode, useEffect, useRef } from "react";
import styles from "./Page.module.css";

export interface PageProps {
  /** The page's name: its only h1, and the beginning of the document's title. */
  title: string;
  /** A field in place of the title, where it can be changed. */
  titleField?: ReactNode;
  /** Links to the pages above this one. */
  crumbs?: ReactNode;
  /** Beside the title: a star, a state. */
  badge?: ReactNode;
  /** Pickers and actions, at the right of the top bar. */
  tools?: ReactNode;
  /** What the title of the document ends with. */
  workspace?: string;
  /** Which view of the page it is: another one begins at the title, as another page does. */
  view?: string;
  children: ReactNode;
}

/** Where the browser began: a page at another path, such as the one after signing in, comes after a navigation. */
let lastPath: string = new URL(performance.getEntriesByType("navigation")[0]?.name ?? window.location.href).pathname;

/**
 * Go on from a page's name after a navigation, or from the part that the address leads to, not from where the link was.
 * The first page leaves the focus to the browser, and a page that put it into a field keeps it there.
 */
function focusBeginning(heading: HTMLElement | null): void {
  const isNavigation = lastPath !== window.location.pathname;
  lastPath = window.location.pathname;
  if (!isNavigation || document.activeElement instanceof HTMLInputElement) return;
  const hashTarget = document.getElementById(window.location.hash.slice(1));
  (hashTarget ?? heading)?.focus();
}

/** The frame of a page: the top bar with its title and tools, and the content below. */
export function Page({ title, titleField, crumbs, badge, tools, workspace = "Tallyroom", view = "", children }: PageProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${workspace}`;
  }, [title, workspace]);
  useEffect(() => {
    focusBeginning(headingRef.current);
  }, []);
  const lastViewRef = useRef(view);
  useEffect(() => {
    if (lastViewRef.current !== view) headingRef.current?.focus();
    lastViewRef.current = view;
  }, [view]);
  return (
    <>
      <header className={styles.bar}>
        <div className={styles.name}>
          {crumbs ? <span className={styles.crumbs}>{crumbs}</span> : null}
          <h1 ref={headingRef} tabIndex={-1} className={styles.title} data-hidden={titleField ? true : undefined}>
            {title}
          </h1>
          {titleField}
          {badge}
        </div>
        {tools ? <div className={styles.tools}>{tools}</div> : null}
      </header>
      <div className={styles.content}>{children}</div>
    </>
  );
}
