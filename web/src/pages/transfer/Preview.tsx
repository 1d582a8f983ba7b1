import { type Column, Table } from "../../ui/Table/Table.tsx";
import { madeRow } from "./batches.ts";
import { mapperOf } from "./mapper.ts";
import type { Mapping } from "./mapping.ts";
import styles from "./Preview.module.css";
import { membersOf } from "./row.ts";
import type { Sample } from "./sample.ts";

/** An event as it will be sent, or why a row is none. */
interface Shown {
  line: number;
  refusal: string | null;
  /** Its fields, as JSON that is written exactly as it is sent. */
  event: ReadonlyMap<string, string>;
}

export interface PreviewProps {
  sample: Sample;
  mapping: Mapping;
  isNdjson: boolean;
}

/** The first ten rows as the events that they become. */
export function Preview({ sample, mapping, isNdjson }: PreviewProps) {
  const map = mapperOf(mapping, isNdjson);
  const rows = sample.rows.map((row): Shown => {
    const made = madeRow(row, map);
    if ("reason" in made) return { line: made.line, refusal: made.reason, event: new Map() };
    return { line: made.line, refusal: null, event: membersOf(made.event) ?? new Map<string, string>() };
  });
  const columns: Column<Shown>[] = [
    { key: "line", label: "Line", width: 56, render: ({ line }) => <span className={styles.muted}>{line}</span> },
    {
      key: "name",
      label: "Name",
      render: ({ refusal, event }) =>
        refusal === null ? <span className={styles.name}>{written(event, "name")}</span> : <span className={styles.refusal}>{refusal}</span>,
    },
    { key: "time", label: "Time", hideBelow: 600, render: ({ event }) => <span className={styles.time}>{written(event, "_timestamp")}</span> },
    {
      key: "actor",
      label: "Actor",
      hideBelow: 900,
      render: ({ event }) => (
        <>
          {written(event, "_actor")}
          {event.has("_actorLabel") ? <span className={styles.muted}> {written(event, "_actorLabel")}</span> : null}
        </>
      ),
    },
    { key: "source", label: "Source", hideBelow: 1200, render: ({ event }) => written(event, "_source") },
    {
      key: "properties",
      label: "Properties",
      hideBelow: 900,
      render: ({ event }) => <code className={styles.properties}>{event.get("properties") ?? ""}</code>,
    },
  ];
  return <Table label="First events" columns={columns} rows={rows} rowKey={({ line }) => String(line)} dense />;
}

function written(event: ReadonlyMap<string, string>, field: string): string {
  const json = event.get(field) ?? "";
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}
