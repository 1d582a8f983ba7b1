import { Split } from "lucide-react";
import type { ReactNode } from "react";
import { Combobox } from "../ui/Combobox/Combobox.tsx";
import { Segmented } from "../ui/Segmented/Segmented.tsx";
import type { Names } from "./definition.ts";
import { FormLine } from "./FormSection.tsx";
import { breakdownOffer } from "./names.ts";

export interface BreakdownFieldsProps {
  breakdown: string | null | undefined;
  limit: number | undefined;
  onChange: (change: { breakdown: string | null; limit: number }) => void;
  names: Names;
}

const LIMITS = ["4", "8", "10", "25"] as const;
const DEFAULT_LIMIT = 10;

/** By which key a measure is split, and how many labels are kept. */
export function BreakdownFields({ breakdown = null, limit = DEFAULT_LIMIT, onChange, names }: BreakdownFieldsProps): ReactNode {
  const limitText = LIMITS.find((choice) => choice === String(limit)) ?? "";
  return (
    <>
      <Combobox
        label="Break down by"
        icon={Split}
        placeholder="Nothing"
        value={breakdown ?? ""}
        {...breakdownOffer(names)}
        onChange={(key) => onChange({ breakdown: key === "" ? null : key, limit })}
      />
      {breakdown !== null && (
        <FormLine words="Show top">
          <Segmented
            label="Show top"
            small
            value={limitText}
            options={LIMITS.map((value) => ({ value, label: value }))}
            onChange={(value) => onChange({ breakdown, limit: Number(value) })}
          />
        </FormLine>
      )}
    </>
  );
}
