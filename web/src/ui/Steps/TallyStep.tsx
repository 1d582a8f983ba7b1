import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Hidden } from "../Hidden/Hidden.tsx";
import styles from "./Steps.module.css";

export interface TallyStepProps {
  /** Its number, as strokes. */
  strokes: 1 | 2 | 3 | 4;
  title: string;
  isDone?: boolean;
  /** A word beside the title. */
  badge?: ReactNode;
  children: ReactNode;
}

/** One step of several, inside an `ol`: numbered by strokes, with a check when it is done. */
export function TallyStep({ strokes, title, isDone = false, badge, children }: TallyStepProps) {
  return (
    <li className={styles.step}>
      <span className={styles.mark} data-done={isDone || undefined}>
        {isDone ? <Check size={16} strokeWidth={1.6} aria-hidden="true" /> : <Strokes count={strokes} />}
      </span>
      <div className={styles.content}>
        <h3 className={styles.title}>
          {title}
          {isDone ? <Hidden>, done</Hidden> : null}
          {badge}
        </h3>
        {children}
      </div>
    </li>
  );
}

/** Upright strokes, 6 px from one to the next, in the middle. */
function Strokes({ count }: { count: 1 | 2 | 3 | 4 }) {
  const firstX = 10 - (count - 1) * 3;
  return (
    <svg className={styles.strokes} width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      {Array.from({ length: count }, (_, index) => (
        <path key={index} d={`M${firstX + index * 6} 4.5v11`} />
      ))}
    </svg>
  );
}
