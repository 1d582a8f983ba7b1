import { useMemo } from "react";
import type { Condition, PastValues } from "../../api/alerts.ts";
import { type RarerLimit, frequencyOf, rarerLimitOf } from "./rarerLimit.ts";
import { type LimitSuggestion, suggestLimit, suggestionInWords } from "./suggestedLimit.ts";

/** What the past says of the threshold of a new alert. */
export interface LimitAdvice {
  /** The threshold that follows from the past, and why; undefined while the past is unknown. */
  suggestion: LimitSuggestion | undefined;
  /** Why the threshold is what it is, and how often it would fire; "" while that is not known. */
  note: string;
  /** One that fires about once a week, where the suggested one fires more often. */
  rarerLimit: RarerLimit | null;
}

/** Return what the past says of a threshold; undefined values are not known yet. */
export function useLimitAdvice(condition: Condition, windowMinutes: number, isLimitTyped: boolean, values: PastValues | undefined): LimitAdvice {
  const suggestion = useMemo(() => values && suggestLimit(condition, values.minutes, windowMinutes), [values, condition, windowMinutes]);
  const frequencyAdvice = useMemo(() => {
    if (!values || !suggestion || suggestion.limit === "") return { frequency: "", rarerLimit: null };
    const limit = Number(suggestion.limit);
    return { frequency: frequencyOf(values, condition, limit), rarerLimit: rarerLimitOf(values, condition, limit) };
  }, [values, suggestion, condition]);
  const { frequency, rarerLimit } = frequencyAdvice;
  const reason = suggestionInWords(suggestion, isLimitTyped);
  if (isLimitTyped) return { suggestion, note: reason, rarerLimit: null };
  return { suggestion, note: frequency === "" ? reason : `${reason} It would fire ${frequency}.`, rarerLimit };
}
