import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type AlertRule, type BackTest, type PastValues, backTestQuery, pastValuesQuery } from "../../api/alerts.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { useDebounced } from "../../ui/useDebounced.ts";
import { type Extreme, extremeOf, extremePoints } from "./hours.ts";
import { isLimitCondition, recount } from "./recount.ts";

/** What a rule would have done in the past 30 days, as far as it is known. */
export interface Trial {
  /** The rule that the answer is about, but for its threshold while that changes. */
  rule: AlertRule;
  answer: BackTest | undefined;
  /** The values behind it, minute by minute; only where a rule is written. */
  values: PastValues | undefined;
  /** Which value of each hour the points of the answer are; null for the one at its end. */
  extreme: Extreme | null;
  /** The answer has values but no incidents: the rule has no threshold yet. */
  lacksLimit: boolean;
  error: unknown;
  isPending: boolean;
  isFetching: boolean;
  /** The answer is about the threshold before. */
  isOutdated: boolean;
  retry: () => void;
}

/** Ask what a rule would have done, once it rests; while only its limit changes, the answer before stays until the next one comes. */
export function useBackTest(latestRule: AlertRule, enabled: boolean): Trial {
  const rule = useDebounced(latestRule);
  const backTestOptions = backTestQuery(rule);
  const isAsked = enabled && hasLimit(rule);
  const result = useQuery({ ...backTestOptions, enabled: isAsked, placeholderData: placeholderFor(backTestOptions.queryKey) });
  const { data, error, isPending, isFetching, isPlaceholderData: isOutdated, refetch } = result;
  const answer = isAsked && !error ? data : undefined;
  return { rule, answer, values: undefined, extreme: null, lacksLimit: false, error, isPending, isFetching, isOutdated, retry: () => void refetch() };
}

/**
 * Ask the same of a rule that is being written: its values once, so that another limit is counted here at once, and the
 * incidents of each limit that rests, by which the server confirms them.
 */
export function useTrial(latestRule: AlertRule, isComplete: boolean): Trial {
  const { condition, threshold = null, ...latestSubject } = latestRule;
  const lacksLimit = !hasLimit(latestRule);
  const subject = useDebounced(latestSubject);
  const valuesResult = useQuery({ ...pastValuesQuery(subject), enabled: isComplete });
  const values = isComplete && isSame(subject, latestSubject) && !valuesResult.error ? valuesResult.data : undefined;
  const backTest = useBackTest(latestRule, isComplete && !lacksLimit);
  const { error, isPending, isFetching, refetch } = valuesResult;
  const extreme = extremeOf(condition);
  const points = useMemo(() => (values && extreme ? extremePoints(values, extreme) : undefined), [values, extreme]);
  const trial = lacksLimit ? { ...backTest, lacksLimit, values, error, isPending, isFetching, retry: () => void refetch() } : { ...backTest, values };
  const countedAnswer = useMemo(() => countHere(values, condition, threshold), [values, condition, threshold]);
  const isConfirmed = trial.answer !== undefined && !trial.isOutdated && isSame(trial.rule, latestRule);
  const shownTrial = isConfirmed || !countedAnswer || trial.error ? trial : { ...trial, rule: latestRule, answer: countedAnswer, isPending: false, isOutdated: false };
  const { answer } = shownTrial;
  const shownAnswer = useMemo(() => answer && points && { ...answer, points }, [answer, points]);
  return shownAnswer ? { ...shownTrial, extreme, answer: shownAnswer } : shownTrial;
}

const hasLimit = ({ condition, threshold = null }: AlertRule): boolean => threshold !== null || condition === "nodata";

const isSame = (left: object, right: object): boolean => JSON.stringify(left) === JSON.stringify(right);

/** Return the back-test of a limit by values that are known; without a limit, without incidents. */
function countHere(values: PastValues | undefined, condition: AlertRule["condition"], threshold: number | null): BackTest | undefined {
  if (!values) return undefined;
  if (threshold === null) return condition === "nodata" ? undefined : { ...values, fired: 0, incidents: [] };
  return isLimitCondition(condition) ? { ...values, ...recount(values, condition, threshold) } : undefined;
}
