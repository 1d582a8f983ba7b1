import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Segment } from "../../api/segments.ts";
import { type Column, Table, rowLinkClass } from "../../ui/Table/Table.tsx";
import { SegmentCount } from "./SegmentCount.tsx";
import styles from "./SegmentTable.module.css";
import { Sentence } from "./Sentence.tsx";
import { usesInWords } from "./uses.ts";

export interface SegmentTableProps {
  segments: readonly Segment[];
  /** The menu of a segment. */
  renderMenu: (segment: Segment) => ReactNode;
}

/** Segments with who is in them, how many that are, and what uses them. A row leads to the events of its segment. */
export function SegmentTable({ segments, renderMenu }: SegmentTableProps) {
  const columns: Column<Segment>[] = [
    {
      key: "name",
      label: "Segment",
      render: ({ id, name, environment, filters }) => (
        <>
          <Link to="/events" search={{ env: environment, range: "30d", seg: id }} className={rowLinkClass} dir="auto">
            {name}
          </Link>
          <span className={styles.below}>
            <Sentence filters={filters} />
          </span>
        </>
      ),
    },
    { key: "who", label: "Filters", width: "34%", hideBelow: 900, render: ({ filters }) => <Sentence filters={filters} /> },
    { key: "uses", label: "Used by", width: 176, hideBelow: 900, render: (segment) => <span className={styles.muted}>{usesInWords(segment)}</span> },
    { key: "actors", label: "Actors, 30 days", align: "end", width: 128, hideBelow: 600, render: (segment) => <SegmentCount segment={segment} counted="actors" /> },
    { key: "events", label: "Events, 30 days", align: "end", width: 128, render: (segment) => <SegmentCount segment={segment} counted="events" /> },
    { key: "menu", label: "Actions", hideLabel: true, align: "end", width: 60, render: renderMenu },
  ];
  return <Table label="Segments" columns={columns} rows={segments} rowKey={({ id }) => id} />;
}
