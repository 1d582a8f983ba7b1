import { Skeleton } from "../Skeleton/Skeleton.tsx";
import styles from "./Page.module.css";

/** The place of a page of which nothing is known yet; it has no name and takes no focus, so that the page itself does. */
export function PageSkeleton() {
  return (
    <div aria-busy="true">
      <header className={styles.bar}>
        <div className={styles.name}>
          <Skeleton height={16} width="180px" />
        </div>
      </header>
      <div className={styles.content}>
        <Skeleton height={480} />
      </div>
    </div>
  );
}
