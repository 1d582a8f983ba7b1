import { useQuery } from "@tanstack/react-query";
import { segmentsQuery } from "../api/segments.ts";
import { Chip } from "../ui/Chip/Chip.tsx";
import styles from "./FilterBar.module.css";
import { FilterField } from "./filterField/FilterField.tsx";
import type { Scope } from "./useScope.ts";

interface FilterBarProps {
  scope: Scope;
  /** Whether a segment can be chosen here. */
  hasSegments?: boolean;
}

/** The filters in the address, and the segment. */
export function FilterBar({ scope, hasSegments = true }: FilterBarProps) {
  const { environment, filters, setFilters, setSegment } = scope;
  return (
    <div className={styles.bar}>
      <FilterField filters={filters} onChange={setFilters} environment={environment} onChooseSegment={hasSegments ? setSegment : undefined}>
        {hasSegments ? <SegmentChip scope={scope} /> : null}
      </FilterField>
    </div>
  );
}

function SegmentChip({ scope }: { scope: Scope }) {
  const { data: segments = [] } = useQuery(segmentsQuery);
  if (scope.segmentId === undefined) return null;
  const name = segments.find(({ id }) => id === scope.segmentId)?.name ?? "deleted segment";
  return <Chip label={`Segment ${name}`} parts={["Segment", name]} onRemove={() => scope.setSegment(undefined)} />;
}
