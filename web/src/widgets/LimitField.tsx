import type { ReactNode } from "react";
import { Segmented } from "../ui/Segmented/Segmented.tsx";
import { FormLine } from "./FormSection.tsx";

const LIMITS = ["4", "8", "10", "25"] as const;
export const DEFAULT_LIMIT = 10;

/** How many labels of a breakdown are kept. */
export function LimitField({ limit, onChange }: { limit: number; onChange: (limit: number) => void }): ReactNode {
  return (
    <FormLine words="Show top">
      <Segmented
        label="Show top"
        small
        value={LIMITS.find((choice) => choice === String(limit)) ?? ""}
        options={LIMITS.map((value) => ({ value, label: value }))}
        onChange={(value) => onChange(Number(value))}
      />
    </FormLine>
  );
}
