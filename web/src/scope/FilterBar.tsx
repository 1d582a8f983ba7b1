import { useQuery } from "@tanstack/react-query";
import { Filter as FilterIcon, Plus } from "lucide-react";
import { segmentsQuery } from "../api/segments.ts";
import { Button } from "../ui/Button/Button.tsx";
import { Chip } from "../ui/Chip/Chip.tsx";
import { Popover } from "../ui/Popover/Popover.tsx";
import { lazily } from "../ui/lazily.ts";
import styles from "./FilterBar.module.css";
import { type Filter, OPERATORS, filterInWords, filterToText, isAlternatives, valueInWords } from "./filters.ts";
import type { Scope } from "./useScope.ts";

const FilterForm = lazily(() => import("./FilterForm.tsx"), "FilterForm");

interface FilterBarProps {
  scope: Scope;
  /** Whether a segment can be chosen here. */
  hasSegments?: boolean;
}

/** The filters in the address as chips, and the way to add one. */
export function FilterBar({ scope, hasSegments = true }: FilterBarProps) {
  const { filters, setFilters } = scope;
  const filtersWithout = (index: number) => filters.filter((_, position) => position !== index);
  return (
    <div className={styles.bar} role="group" aria-label="Filters">
      {filters.map((filter, index) => (
        <Chip
          key={filterToText(filter)}
          label={filterInWords(filter)}
          parts={chipParts(filter)}
          onRemove={() => setFilters(filtersWithout(index))}
        />
      ))}
      {hasSegments ? <SegmentChip scope={scope} /> : null}
      <AddFilter scope={scope} hasSegments={hasSegments} />
    </div>
  );
}

/** A filter as the pieces of a chip: key, operator, value. Alternatives are one piece. */
function chipParts(filter: Filter): string[] {
  if (isAlternatives(filter)) return [filterInWords(filter)];
  const value = valueInWords(filter.value);
  return value === "" ? [filter.key, OPERATORS[filter.op]] : [filter.key, OPERATORS[filter.op], value];
}

function SegmentChip({ scope }: { scope: Scope }) {
  const { data: segments = [] } = useQuery(segmentsQuery);
  if (scope.segmentId === undefined) return null;
  const name = segments.find(({ id }) => id === scope.segmentId)?.name ?? "deleted segment";
  return <Chip label={`Segment ${name}`} parts={["Segment", name]} onRemove={() => scope.setSegment(undefined)} />;
}

/** The button that opens the form for one more filter, or a saved segment. */
function AddFilter({ scope, hasSegments = true }: FilterBarProps) {
  return (
    <Popover
      label="Add a filter"
      trigger={
        <Button variant="quiet" small icon={Plus} data-action="filter">
          Filter
        </Button>
      }
    >
      {(close) => (
        <div className={styles.form}>
          <FilterForm
            environment={scope.environment}
            onAdd={(filter) => {
              close();
              scope.setFilters([...scope.filters, filter]);
            }}
          />
          {hasSegments ? (
            <SegmentList
              onChoose={(id) => {
                close();
                scope.setSegment(id);
              }}
            />
          ) : null}
        </div>
      )}
    </Popover>
  );
}

function SegmentList({ onChoose }: { onChoose: (id: string) => void }) {
  const { data: segments = [] } = useQuery(segmentsQuery);
  if (segments.length === 0) return null;
  return (
    <div className={styles.segments}>
      <h2 className={styles.heading}>Or a saved segment</h2>
      <ul>
        {segments.map(({ id, name }) => (
          <li key={id}>
            <button type="button" className={styles.segment} onClick={() => onChoose(id)}>
              <FilterIcon size={14} aria-hidden="true" />
              {name}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
