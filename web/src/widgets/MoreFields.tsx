import { type ReactNode, useState } from "react";
import styles from "./MoreFields.module.css";

export interface MoreFieldsProps {
  /** One of them is not as it begins, so that they are open at first. */
  isUsed: boolean;
  /** What they are about, where a form has several of them: "number 2". */
  subject?: string;
  children: ReactNode;
}

/** The rarer fields of a question, below its sentence. */
export function MoreFields({ isUsed, subject, children }: MoreFieldsProps): ReactNode {
  const [isOpenAtFirst] = useState(isUsed);
  return (
    <details className={styles.more} open={isOpenAtFirst}>
      <summary>{subject === undefined ? "More" : `More of ${subject}`}</summary>
      <div className={styles.fields}>{children}</div>
    </details>
  );
}
