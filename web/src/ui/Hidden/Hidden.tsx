import type { ReactNode } from "react";
import styles from "./Hidden.module.css";

/** Words for those who do not see the page. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
