import styles from "./CountBar.module.css";

/** A bar right of a number, on a base that all rows share. It is decoration: the number stands beside it. */
export function CountBar({ share }: { share: number }) {
  return <i className={styles.bar} style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />;
}
