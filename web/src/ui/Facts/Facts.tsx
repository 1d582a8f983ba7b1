import type { ReactNode } from "react";
import styles from "./Facts.module.css";

export interface Fact {
  label: string;
  value: ReactNode;
  /** A small grey word after the value: a unit, a year. */
  unit?: string | undefined;
  /** A line below. */
  detail?: ReactNode;
}

/** A few numbers in one card, split by hairlines. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, value, unit, detail }) => (
        <div key={label} className={styles.fact}>
          <dt>{label}</dt>
          <dd>
            <span className={styles.value}>{value}</span>
            {unit === undefined ? null : <small>{unit}</small>}
            <p className={styles.detail}>{detail ?? "\u00a0"}</p>
          </dd>
        </div>
      ))}
    </dl>
  );
}
