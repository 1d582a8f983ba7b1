import { formatAgo } from "../../core/time.ts";
import type { Answers, Configs, DataTable } from "../definition.ts";

/** Return the host that a value is read from; "" if the URL is none. */
export const hostOf = ({ url }: Configs["external"]): string => (URL.canParse(url) ? new URL(url).host : "");

/** Return what has to be chosen before anything can be read, in words; "" if nothing. */
export function missingInWords({ sourceId, url, valuePath }: Configs["external"]): string {
  if (sourceId === "") return "Choose a source.";
  if (url === "") return "Enter a URL.";
  return valuePath === "" ? "Enter a value path." : "";
}

/** Say when a value was read, as seen from the moment of the answer. */
export function readInWords({ fetchedAt, computedAt }: Answers["external"]): string {
  if (fetchedAt === null) return "not fetched yet";
  return `fetched ${formatAgo(fetchedAt, computedAt ? Date.parse(computedAt) : undefined)}`;
}

/** Return the value as a table. */
export function tableOf({ value, fetchedAt }: Answers["external"]): DataTable {
  return {
    columns: [
      { label: "Fetched", numeric: false },
      { label: "Value", numeric: typeof value === "number" },
    ],
    rows: [[fetchedAt, value]],
  };
}
