import { formatAlone } from "./numbers.ts";

/** How far a number is from its goal. */
export interface GoalProgress {
  state: "met" | "open" | "missed";
  /** The share of the goal that a bar shows, from 0 to 1. */
  share: number;
  /** "2,186 of 2,000". */
  text: string;
}

/** Return how far a number is; a goal for which "down" is good is the most that the number may be. */
export function goalProgressOf(value: number, goal: number, good: "up" | "down" | "none" | null | undefined): GoalProgress {
  const isLimit = good === "down";
  const isMet = isLimit ? value <= goal : value >= goal;
  const share = goal <= 0 ? Number(isMet) : Math.min(Math.max(value / goal, 0), 1);
  return { state: isMet ? "met" : isLimit ? "missed" : "open", share, text: `${formatAlone(value)} of ${formatAlone(goal)}` };
}
