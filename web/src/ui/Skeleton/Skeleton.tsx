import styles from "./Skeleton.module.css";

export interface SkeletonProps {
  /** In px, as everything of its kind will be. */
  height: number | string;
  /** In px, or as part of the place: "60%". */
  width?: number | string;
}

/** The place of something that is loading. It can be seen after 150 ms, so that fast answers do not flicker. */
export function Skeleton({ height, width = "100%" }: SkeletonProps) {
  return <span className={styles.skeleton} style={{ height, width }} aria-hidden="true" />;
}
