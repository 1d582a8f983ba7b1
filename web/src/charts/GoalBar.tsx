import { Check, X } from "lucide-react";
import type { ReactNode } from "react";
import type { GoalProgress } from "../core/goals.ts";
import { Hidden } from "../ui/Hidden/Hidden.tsx";
import styles from "./GoalBar.module.css";

const SIGNS = {
  met: { Icon: Check, words: "Goal met: " },
  missed: { Icon: X, words: "Over the goal: " },
  open: { Icon: null, words: "Goal: " },
};

/** How far a number is from its goal: a bar, a sign once it is met or passed, and both numbers. */
export function GoalBar({ state, share, text }: GoalProgress): ReactNode {
  const { Icon, words } = SIGNS[state];
  return (
    <div className={styles.goal} data-state={state}>
      <div className={styles.track} aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </div>
      <p>
        {Icon && <Icon size={14} strokeWidth={2} aria-hidden="true" />}
        <Hidden>{words}</Hidden>
        {text}
      </p>
    </div>
  );
}
