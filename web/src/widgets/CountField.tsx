import type { ReactNode } from "react";
import { Segmented } from "../ui/Segmented/Segmented.tsx";
import { FormLine } from "./FormSection.tsx";

type Count = "actor" | "group";

const COUNTS: readonly { value: Count; label: string }[] = [
  { value: "actor", label: "actors" },
  { value: "group", label: "groups" },
];

/** Whether actors are counted, or groups by the default group key. */
export function CountField({ count, onChange }: { count: Count | undefined; onChange: (count: Count) => void }): ReactNode {
  return (
    <FormLine words="Count">
      <Segmented label="Count" small value={count ?? "actor"} options={COUNTS} onChange={onChange} />
    </FormLine>
  );
}
