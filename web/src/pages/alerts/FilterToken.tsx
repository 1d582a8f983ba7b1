import { filterInWords } from "../../scope/filters.ts";
import { FilterList } from "../../widgets/FilterList.tsx";
import { SegmentField } from "../../widgets/SegmentField.tsx";
import { TokenForm } from "./TokenForm.tsx";
import type { TokenParts } from "./tokenParts.ts";

/** Which events count: filters, and a segment of the environment. The parts of a formula have filters of their own. */
export function FilterToken({ draft, onChange, names, about }: TokenParts) {
  const { filters, segmentId, isFormula } = draft;
  const segment = names.segments.find(({ id }) => id === segmentId)?.name ?? "deleted segment";
  const words = [...(isFormula ? [] : filters.map(filterInWords)), ...(segmentId === null ? [] : [`segment ${segment}`])];
  return (
    <TokenForm
      label="Filters"
      words={words.join(" and ") || (isFormula ? "every event" : "+ filter")}
      isEmpty={words.length === 0}
      complaint={about("filters") ?? about("segmentId")}
    >
      {isFormula ? null : <FilterList filters={filters} names={names} onChange={(next) => onChange({ filters: next })} />}
      <SegmentField segmentId={segmentId} names={names} onChange={(next) => onChange({ segmentId: next })} />
    </TokenForm>
  );
}
