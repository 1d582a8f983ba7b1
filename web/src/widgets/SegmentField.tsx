import type { ReactNode } from "react";
import type { Names } from "./definition.ts";
import { FormSelect } from "./FormSection.tsx";

interface SegmentFieldProps {
  segmentId: string | null | undefined;
  onChange: (segmentId: string | null) => void;
  names: Names;
}

/** A picker of a segment, whose filters are added to those of the question. */
export function SegmentField({ segmentId, onChange, names }: SegmentFieldProps): ReactNode {
  const options = [{ value: "", label: "None" }, ...names.segments.map(({ id, name }) => ({ value: id, label: name }))];
  return <FormSelect label="Segment" value={segmentId ?? ""} options={options} onChange={(id) => onChange(id === "" ? null : id)} />;
}
