import type { ReactNode } from "react";
import { type Notice, Notices } from "../ui/Notices/Notices.tsx";
import styles from "./Profile.module.css";

export interface ProfileProps {
  /** What kind of thing it is, above its name. */
  kind?: string | undefined;
  name: ReactNode;
  /** Its key, below the name. */
  keyLine?: ReactNode;
  actions?: ReactNode;
  /** Four numbers. */
  facts: ReactNode;
  /** What the server has to say about the numbers. */
  notices: readonly Notice[] | undefined;
  main: ReactNode;
  side: ReactNode;
  /** In px, of the column at the side. */
  sideWidth: 300 | 380;
}

/** The page of one actor or group: who, four facts, rhythm, then what they did. */
export function Profile({ kind, name, keyLine, actions, facts, notices, main, side, sideWidth }: ProfileProps) {
  return (
    <>
      <div className={styles.head}>
        <div className={styles.who}>
          {kind === undefined ? null : <p className={styles.kind}>{kind}</p>}
          <p className={styles.name}>{name}</p>
          {keyLine}
        </div>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
      {facts}
      <Notices notices={notices} />
      <div className={styles.columns} data-side={sideWidth}>
        <div className={styles.column}>{main}</div>
        <aside className={styles.column} aria-label="Details">
          {side}
        </aside>
      </div>
    </>
  );
}
