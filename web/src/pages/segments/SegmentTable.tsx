import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Segment } from "../../api/segments.ts";
import { type Column, Table, rowLinkClass } from "../../ui/Table/Table.tsx";
import { EventCount } from "./EventCount.tsx";
import styles from "./SegmentTable.module.css";
import { Sentence } from "./Sentence.tsx";

export interface SegmentTableProps {
  segments: readonly Segment[];
  /** The menu of a segment. */
  renderMenu: (segment: Segment) => ReactNode;
}

/** Segments with who is in them. A row leads to the events of its segment. */
export function SegmentTable({ segments, renderMenu }: SegmentTableProps) {
  const columns: Column<Segment>[] = [
    {
      key: "name",
      label: "Segment",
      render: ({ id, name, environment, filters }) => (
        <>
          <Link to="/events" search={{ env: environment, range: "7d", seg: id }} className={rowLinkClass} dir="auto">
            {name}
          </Link>
          <span className={styles.below}>
            <Sentence filters={filters} />
          </span>
        </>
      ),
    },
    { key: "who", label: "Filters", width: "56%", hideBelow: 900, render: ({ filters }) => <Sentence filters={filters} /> },
    { key: "events", label: "Events, 7 days", align: "end", width: 120, render: (segment) => <EventCount segment={segment} /> },
    { key: "menu", label: "Actions", hideLabel: true, align: "end", width: 60, render: renderMenu },
  ];
  return <Table label="Segments" columns={columns} rows={segments} rowKey={({ id }) => id} />;
}
