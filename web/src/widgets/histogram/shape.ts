import type { Rule } from "../../charts/rules.ts";
import { isId } from "../../core/ids.ts";
import { formatAmong, formatExact, formatShort } from "../../core/numbers.ts";
import type { Answers, DataTable, SpotLine } from "../definition.ts";

type Answer = Answers["histogram"];

const COUNT_COLUMN = 2;

/** Name a range of values: "195 to 310". */
export function rangeInWords({ buckets }: Answer, bucketIndex: number): string {
  const bucketRange = buckets[bucketIndex];
  if (!bucketRange) return "";
  const [low, high] = [buckets[0]?.from ?? 0, buckets.at(-1)?.to ?? 0];
  const [from, to] = [formatAmong(bucketRange.from, low, high), formatAmong(bucketRange.to, low, high)];
  return bucketRange.from === bucketRange.to ? formatShort(bucketRange.from) : `${from} to ${to}`;
}

/** Return the marks above the bars, in words: "median 310 ms". */
export function rulesOf({ percentiles }: Answer, unit: string | null | undefined): Rule[] {
  const ruleOf = (name: string, value: number | null) =>
    value === null ? [] : [{ value, label: `${name} ${formatShort(value)}${unit ? `\u2009${unit}` : ""}` }];
  return percentiles ? [...ruleOf("median", percentiles.median), ...ruleOf("p95", percentiles.p95)] : [];
}

/** Return the counts of the ranges. */
export function spotsOf(answer: Answer, property: string): SpotLine[] {
  return [
    answer.buckets.map(({ count }, bucket) => ({
      spot: { bucket },
      value: count,
      inWords: () => `${property} from ${rangeInWords(answer, bucket)}`,
      format: formatExact,
    })),
  ];
}

/** Return the ranges as a table. */
export function tableOf(answer: Answer, property: string): DataTable {
  return {
    columns: [
      { label: "From", numeric: true },
      { label: "To", numeric: true },
      { label: "Count", numeric: true },
    ],
    rows: answer.buckets.map(({ from, to, count }) => [from, to, count]),
    isIdCell: isId(property) ? (_, columnIndex) => columnIndex < COUNT_COLUMN : undefined,
  };
}
