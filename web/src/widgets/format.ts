import type { components } from "../api/schema.gen.ts";
import { formatExact, formatShort, formatAlone } from "../core/numbers.ts";

type Display = components["schemas"]["DisplayOptions"] | null | undefined;

/** Write a value as its widget wants it: with its decimals if it has them, else exact; the unit comes after. */
export function formatOf(display: Display): (value: number | null) => string {
  const { unit, decimals } = display ?? {};
  return (value) => {
    const numberText = decimals === null || decimals === undefined ? formatExact(value) : formatExact(value, decimals);
    return unit && value !== null ? `${numberText}\u2009${unit}` : numberText;
  };
}

/** Write the one number of a card: short, with the full number beside it where it lost digits. */
export function bigNumber(value: number | null, display: Display): { value: string; fullValue: string | undefined } {
  const { decimals } = display ?? {};
  const fullValue = formatExact(value);
  const text = decimals === null || decimals === undefined ? (value !== null && Math.abs(value) >= 1e6 ? formatShort(value) : formatAlone(value)) : formatExact(value, decimals);
  return { value: text, fullValue: fullValue === text ? undefined : fullValue };
}
