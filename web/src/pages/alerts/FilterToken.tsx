import { filterInWords } from "../../scope/filters.ts";
import { FilterList } from "../../widgets/FilterList.tsx";
import { SegmentField } from "../../widgets/SegmentField.tsx";
import { TokenForm } from "./TokenForm.tsx";
import type { TokenParts } from "./tokenParts.ts";

/** Which events count: filters, and a segment of the environment. The parts of a formula have filters of their own. */
export function FilterToken({ draft, onChange, names, complaintIdOf }: TokenParts) {
  const { filters, segmentId, isFormula } = draft;
  const segmentName = names.segments.find(({ id }) => id === segmentId)?.name ?? "deleted segment";
  const conditionTexts = [...(isFormula ? [] : filters.map(filterInWords)), ...(segmentId === null ? [] : [`segment ${segmentName}`])];
  return (
    <TokenForm
      label="Filters"
      text={conditionTexts.join(" and ") || (isFormula ? "every event" : "+ filter")}
      isEmpty={conditionTexts.length === 0}
      complaintId={complaintIdOf("filters") ?? complaintIdOf("segmentId")}
    >
      {isFormula ? null : <FilterList filters={filters} names={names} onChange={(next) => onChange({ filters: next })} />}
      <SegmentField segmentId={segmentId} names={names} onChange={(next) => onChange({ segmentId: next })} />
    </TokenForm>
  );
}
