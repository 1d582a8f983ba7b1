import { Plus } from "lucide-react";
import { type ReactNode, Suspense, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../ui/Button/Button.tsx";
import { Chip } from "../../ui/Chip/Chip.tsx";
import { lazily } from "../../ui/lazily.ts";
import { type Filter, OPERATORS, filterInWords, isAlternatives, valueInWords } from "../filters.ts";
import styles from "./FilterField.module.css";

const FilterInput = lazily(() => import("./FilterInput.tsx"), "FilterInput");
const loadInput = () => void FilterInput.load();

export interface FilterFieldProps {
  filters: readonly Filter[];
  onChange: (filters: Filter[]) => void;
  /** Whose names are offered. */
  environment: string;
  label?: string;
  /** Take a segment in place of a filter; without it, none is offered. */
  onChooseSegment?: ((id: string) => void) | undefined;
  /** Further chips after those of the filters. */
  children?: ReactNode;
}

/** What is written: the filter at a place, or a new one. */
type Target = number | "new";

/** The filters of a question as chips. Each is written, and changed, as one line of text. */
export function FilterField({ filters, onChange, environment, label = "Filters", onChooseSegment, children }: FilterFieldProps) {
  const { groupRef, target, open, close, focus } = useTarget();
  const take = (filter: Filter | null) => {
    const nextFilters = filter === null ? [] : [filter];
    if (target === "new") onChange([...filters, ...nextFilters]);
    else if (target !== null) onChange(filters.toSpliced(target, 1, ...nextFilters));
  };
  const remove = (index: number) => {
    focus("new");
    onChange(filters.toSpliced(index, 1));
  };
  const renderInput = (filter: Filter | null, fallback: ReactNode) => (
    <Suspense fallback={fallback}>
      <FilterInput environment={environment} filter={filter} onTake={take} onChooseSegment={onChooseSegment} onEnd={close} />
    </Suspense>
  );
  const renderChip = (filter: Filter, index: number) => (
    <span key={index} className={styles.place} data-target={index}>
      <Chip label={filterInWords(filter)} parts={chipParts(filter)} onClick={() => open(index)} onRemove={() => remove(index)} />
    </span>
  );
  const addButton = (
    <span data-target="new">
      <Button variant="quiet" small icon={Plus} data-action="filter" onClick={() => open("new")}>
        Filter
      </Button>
    </span>
  );
  return (
    <div ref={groupRef} className={styles.bar} role="group" aria-label={label} onPointerEnter={loadInput} onFocusCapture={loadInput}>
      {filters.map((filter, index) => {
        const chip = renderChip(filter, index);
        return target === index ? <span key={index} className={styles.place}>{renderInput(filter, chip)}</span> : chip;
      })}
      {children}
      {target === "new" ? renderInput(null, addButton) : addButton}
    </div>
  );
}

/** What is being written. Whoever ends it by keys is back where they began. */
function useTarget() {
  const groupRef = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const returnTargetRef = useRef<Target | null>(null);
  const focus = (place: Target) => {
    const places = [...(groupRef.current?.querySelectorAll<HTMLElement>("[data-target]") ?? [])];
    const element = places.find(({ dataset }) => dataset.target === String(place)) ?? places.at(-1);
    element?.querySelector("button")?.focus();
  };
  useLayoutEffect(() => {
    if (target !== null || returnTargetRef.current === null) return;
    focus(returnTargetRef.current);
    returnTargetRef.current = null;
  }, [target]);
  const close = () => {
    returnTargetRef.current = groupRef.current?.contains(document.activeElement) ? target : null;
    setTarget(null);
  };
  return { groupRef, target, open: setTarget, close, focus };
}

/** A filter as the pieces of a chip: key, operator, value. Alternatives are one piece. */
function chipParts(filter: Filter): string[] {
  if (isAlternatives(filter)) return [filterInWords(filter)];
  const value = valueInWords(filter.value);
  return value === "" ? [filter.key, OPERATORS[filter.op]] : [filter.key, OPERATORS[filter.op], value];
}
