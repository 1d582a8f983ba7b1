import { type Column, Table } from "../../ui/Table/Table.tsx";
import styles from "./Preview.module.css";
import { makeRow } from "./batches.ts";
import { membersOf } from "./fileRow.ts";
import { mapperOf } from "./mapper.ts";
import type { Mapping } from "./mapping.ts";
import type { Sample } from "./sample.ts";

/** An event as it will be sent, or why a row is none. */
interface PreviewRow {
  line: number;
  refusal: string | null;
  /** Its fields, as JSON that is written exactly as it is sent. */
  event: ReadonlyMap<string, string>;
}

/** Return the first rows of a file as a mapping makes them. */
export function previewRows(sample: Sample, mapping: Mapping, isNdjson: boolean): PreviewRow[] {
  const toEventJson = mapperOf(mapping, isNdjson);
  return sample.rows.map((row) => {
    const entry = makeRow(row, toEventJson);
    if ("reason" in entry) return { line: entry.line, refusal: entry.reason, event: new Map() };
    return { line: entry.line, refusal: null, event: membersOf(entry.eventJson) ?? new Map<string, string>() };
  });
}

/** The first ten rows as the events that they become. */
export function Preview({ rows }: { rows: PreviewRow[] }) {
  const columns: Column<PreviewRow>[] = [
    { key: "line", label: "Line", width: 56, render: ({ line }) => <span className={styles.muted}>{line}</span> },
    {
      key: "name",
      label: "Name",
      render: ({ refusal, event }) =>
        refusal === null ? <span className={styles.name}>{eventField(event, "name")}</span> : <span className={styles.refusal}>{refusal}</span>,
    },
    { key: "time", label: "Time", hideBelow: 600, render: ({ event }) => <span className={styles.time}>{eventField(event, "_timestamp")}</span> },
    {
      key: "actor",
      label: "Actor",
      hideBelow: 900,
      render: ({ event }) => (
        <>
          {eventField(event, "_actor")}
          {event.has("_actorLabel") ? <span className={styles.muted}> {eventField(event, "_actorLabel")}</span> : null}
        </>
      ),
    },
    { key: "source", label: "Source", hideBelow: 1200, render: ({ event }) => eventField(event, "_source") },
    {
      key: "properties",
      label: "Properties",
      hideBelow: 900,
      render: ({ event }) => <code className={styles.properties}>{event.get("properties") ?? ""}</code>,
    },
  ];
  return <Table label="First events" columns={columns} rows={rows} rowKey={({ line }) => String(line)} dense />;
}

function eventField(event: ReadonlyMap<string, string>, field: string): string {
  const json = event.get(field) ?? "";
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}
