import { type ReactNode, useEffect, useRef } from "react";
import { Logo } from "../../ui/Logo/Logo.tsx";
import styles from "./AuthFrame.module.css";
import { TallyField } from "./TallyField.tsx";

export interface AuthFrameProps {
  /** The page's h1, and the beginning of the document's title. */
  title: string;
  /** A line below it. */
  lead?: ReactNode;
  children: ReactNode;
}

/** The frame of every page for people who are not signed in: the form at the left, the tally at the right. */
export function AuthFrame({ title, lead, children }: AuthFrameProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Tallyroom`;
    // What had the focus may be gone with the form before: go on from the heading.
    if (document.activeElement === document.body || document.activeElement === null) headingRef.current?.focus();
  }, [title]);
  return (
    <main className={styles.page}>
      <div className={styles.side}>
        <p className={styles.brand}>
          <Logo size={24} />
          Tallyroom
        </p>
        <div className={styles.middle}>
          <div className={styles.head}>
            <h1 ref={headingRef} tabIndex={-1} className={styles.title}>{title}</h1>
            {lead ? <p className={styles.lead}>{lead}</p> : null}
          </div>
          {children}
        </div>
        <p className={styles.host}>{location.host}</p>
      </div>
      <TallyField />
    </main>
  );
}
