import { isAlternatives, takesList, takesValue, valueInWords, type Condition, type Filter, type Operator } from "../scope/filters.ts";

/** A condition while somebody writes it. */
export interface ConditionDraft {
  key: string;
  op: Operator;
  /** The value as it is written; several are separated by commas. */
  text: string;
}

/** A filter while somebody writes it: an event has to meet one of the conditions. */
export interface FilterDraft {
  id: number;
  conditions: ConditionDraft[];
}

export const EMPTY_CONDITION: ConditionDraft = { key: "", op: "eq", text: "" };

/** Return the drafts of saved filters. */
export function draftsOf(filters: readonly Filter[]): FilterDraft[] {
  return filters.map((filter, id) => ({ id, conditions: (isAlternatives(filter) ? filter.any : [filter]).map(draftOf) }));
}

const draftOf = ({ key, op, value }: Condition): ConditionDraft => ({ key, op, text: valueInWords(value) });

/** Return the filters that drafts stand for; a condition that lacks its key or its value does not count yet. */
export function filtersOf(drafts: readonly FilterDraft[]): Filter[] {
  return drafts.flatMap(({ conditions }): Filter[] => {
    const [firstCondition, ...otherConditions] = conditions.flatMap(conditionOf);
    if (!firstCondition) return [];
    return otherConditions.length === 0 ? [firstCondition] : [{ any: [firstCondition, ...otherConditions] }];
  });
}

function conditionOf({ key, op, text }: ConditionDraft): Condition[] {
  if (key.trim() === "") return [];
  if (!takesValue(op)) return [{ key, op }];
  if (takesList(op)) {
    const value = text.split(",").map((part) => part.trim()).filter((part) => part !== "");
    return value.length === 0 ? [] : [{ key, op, value }];
  }
  return text === "" ? [] : [{ key, op, value: text }];
}
