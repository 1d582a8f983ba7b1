import { Plus, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { OPERATORS, takesValue, type Filter, type Operator } from "../scope/filters.ts";
import { Button } from "../ui/Button/Button.tsx";
import { IconButton } from "../ui/Button/IconButton.tsx";
import { Combobox } from "../ui/Combobox/Combobox.tsx";
import { SelectField } from "../ui/Field/SelectField.tsx";
import type { Names } from "./definition.ts";
import { draftsOf, EMPTY_CONDITION, filtersOf, type ConditionDraft, type FilterDraft } from "./filterDrafts.ts";
import styles from "./FilterList.module.css";
import { keyOffer, valuesOf } from "./names.ts";

export interface FilterListProps {
  filters: readonly Filter[];
  onChange: (filters: Filter[]) => void;
  names: Names;
  /** What is filtered, if a form has several lists: "Filters for step 1". */
  label?: string;
}

const CHOICES = Object.entries(OPERATORS).map(([value, label]) => ({ value, label }));

/** The filters of a question: each has a key, an operator and a value, and may have alternatives. */
export function FilterList({ filters, onChange, names, label = "Filters" }: FilterListProps): ReactNode {
  const [drafts, setDrafts] = useState<FilterDraft[]>(() => draftsOf(filters));
  const changeDrafts = (nextDrafts: FilterDraft[]): void => {
    setDrafts(nextDrafts);
    const completeFilters = filtersOf(nextDrafts);
    if (JSON.stringify(completeFilters) !== JSON.stringify(filtersOf(drafts))) onChange(completeFilters);
  };
  const addFilter = (): void => {
    const nextId = Math.max(-1, ...drafts.map(({ id }) => id)) + 1;
    changeDrafts([...drafts, { id: nextId, conditions: [EMPTY_CONDITION] }]);
  };
  const updateConditions = (id: number, conditions: ConditionDraft[]): void =>
    changeDrafts(drafts.flatMap((draft) => (draft.id !== id ? [draft] : conditions.length > 0 ? [{ id, conditions }] : [])));
  return (
    <div role="group" aria-label={label} className={styles.filters}>
      <div className={styles.head}>
        <span aria-hidden="true">{label}</span>
        <Button variant="quiet" small icon={Plus} onClick={addFilter}>
          Filter
        </Button>
      </div>
      {drafts.map(({ id, conditions }) => (
        <div key={id} className={styles.filter}>
          {conditions.map((condition, index) => (
            <ConditionRow
              key={index}
              condition={condition}
              names={names}
              isAlternative={index > 0}
              onChange={(nextCondition) => updateConditions(id, conditions.with(index, nextCondition))}
              onRemove={() => updateConditions(id, conditions.toSpliced(index, 1))}
            />
          ))}
          <Button variant="quiet" small onClick={() => updateConditions(id, [...conditions, EMPTY_CONDITION])}>
            Or
          </Button>
        </div>
      ))}
    </div>
  );
}

interface ConditionRowProps {
  condition: ConditionDraft;
  names: Names;
  isAlternative: boolean;
  onChange: (condition: ConditionDraft) => void;
  onRemove: () => void;
}

function ConditionRow({ condition, names, isAlternative, onChange, onRemove }: ConditionRowProps): ReactNode {
  const { key, op, text } = condition;
  return (
    <div className={styles.row} data-alternative={isAlternative || undefined}>
      {isAlternative && <span className={styles.or}>or</span>}
      <Combobox label="Key" hideLabel bare placeholder="key" value={key} {...keyOffer(names)} onChange={(nextKey) => onChange({ ...condition, key: nextKey })} />
      <SelectField label="Operator" hideLabel value={op} options={CHOICES} onChange={(nextOperator) => onChange({ ...condition, op: nextOperator as Operator })} />
      {takesValue(op) ? (
        <Combobox label="Value" hideLabel bare textJudge="any" placeholder="value" value={text} options={valuesOf(names, key)} onChange={(nextText) => onChange({ ...condition, text: nextText })} />
      ) : (
        <span />
      )}
      <IconButton label="Remove filter" icon={X} small onClick={onRemove} />
    </div>
  );
}
