import type { ReactNode } from "react";
import type { Change } from "../core/changes.ts";
import type { GoalProgress } from "../core/goals.ts";
import { NO_VALUE } from "../core/numbers.ts";
import { Delta } from "./Delta.tsx";
import { GoalBar } from "./GoalBar.tsx";
import styles from "./BigNumber.module.css";

export interface BigNumberProps {
  /** What is counted; absent where a title says it. */
  label?: string | undefined;
  /** In words, such as "1.94M". */
  value: string;
  /** The full number, if `value` is short. */
  fullValue?: string | undefined;
  unit?: string | null | undefined;
  /** The number before, in words. */
  previous?: string | null | undefined;
  change?: Change | null | undefined;
  good?: "up" | "down" | "none" | null | undefined;
  goal?: GoalProgress | null | undefined;
  /** What is said below instead of a change. */
  note?: ReactNode;
  onClick?: (() => void) | undefined;
  /** It is open elsewhere on the page. */
  isOpen?: boolean;
  children?: ReactNode;
}

/** A number with its unit, its change and what it was before. */
export function BigNumber({ label, value, fullValue, unit, previous, change, good, goal, note, onClick, isOpen = false, children }: BigNumberProps): ReactNode {
  const content = (
    <>
      <span title={fullValue}>{value}</span>
      {unit && value !== NO_VALUE && <small>{unit}</small>}
    </>
  );
  return (
    <div className={styles.number}>
      {label && (
        <div className={styles.label} title={label}>
          {label}
        </div>
      )}
      {onClick ? (
        <button type="button" className={styles.value} aria-current={isOpen || undefined} onClick={onClick} aria-label={buttonName(label, value, fullValue, unit)}>
          {content}
        </button>
      ) : (
        <div className={styles.value}>{content}</div>
      )}
      <div className={styles.change}>
        {change && <Delta change={change} unit={unit} good={good} />}
        {previous && (
          <span>
            from {previous}
            {unit ? `\u2009${unit}` : ""}
          </span>
        )}
        {note}
      </div>
      {goal && <GoalBar {...goal} />}
      {children}
    </div>
  );
}

/** Name the number as it is shown, so that it is found by what is read, and add its full form. */
function buttonName(label: string | undefined, value: string, fullValue: string | undefined, unit: string | null | undefined): string {
  const number = `${value}${unit ?? ""}`;
  return [label && `${label}:`, number, fullValue && `(${fullValue})`, "– show who"].filter(Boolean).join(" ");
}
