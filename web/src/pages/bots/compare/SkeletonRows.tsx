import { Skeleton } from "../../../ui/Skeleton/Skeleton.tsx";
import styles from "./SkeletonRows.module.css";

export interface SkeletonRowsProps {
  count: number;
  /** In px, as the rows will have. */
  height: number;
}

/** The places of a few rows that are on their way. */
export function SkeletonRows({ count, height }: SkeletonRowsProps) {
  return (
    <div className={styles.rows}>
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} width={`${100 - index * (40 / count)}%`} />
      ))}
    </div>
  );
}
