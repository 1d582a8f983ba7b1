import { formatAgo } from "../../core/time.ts";
import type { Answers, Configs, DataTable } from "../definition.ts";

/** Return the host that a value is read from; "" if the URL is none. */
export function hostOf({ url }: Configs["external"]): string {
  return URL.canParse(url) ? new URL(url).host : "";
}

/** Return what has to be chosen before anything can be read, in words; "" if nothing. */
export function missingInWords({ sourceId, url, valuePath }: Configs["external"]): string {
  if (sourceId === "") return "Choose the source to read from.";
  if (url === "") return "Say which address is read.";
  return valuePath === "" ? "Say where in the answer the value is." : "";
}

/** Say when a value was read, as seen from the moment of the answer. */
export function readInWords({ fetchedAt, computedAt }: Answers["external"]): string {
  if (fetchedAt === null) return "not read yet";
  return `read ${formatAgo(fetchedAt, computedAt ? Date.parse(computedAt) : undefined)}`;
}

/** Return the value as a table. */
export function tableOf({ value, fetchedAt }: Answers["external"]): DataTable {
  return {
    columns: [
      { label: "Read", numeric: false },
      { label: "Value", numeric: typeof value === "number" },
    ],
    rows: [[fetchedAt, value]],
  };
}
