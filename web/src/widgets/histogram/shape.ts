import { short, told } from "../../core/numbers.ts";
import type { Answers, DataTable } from "../definition.ts";

type Answer = Answers["histogram"];

/** Name a range of values: "195 to 310". */
export function rangeInWords({ buckets }: Answer, bucket: number): string {
  const found = buckets[bucket];
  if (!found) return "";
  const [low, high] = [buckets[0]?.from ?? 0, buckets.at(-1)?.to ?? 0];
  const [from, to] = [told(found.from, low, high), told(found.to, low, high)];
  return found.from === found.to ? short(found.from) : `${from} to ${to}`;
}

/** Return the ranges as a table. */
export function tableOf(answer: Answer): DataTable {
  return {
    columns: [
      { label: "From", numeric: true },
      { label: "To", numeric: true },
      { label: "Count", numeric: true },
    ],
    rows: answer.buckets.map(({ from, to, count }) => [from, to, count]),
  };
}
