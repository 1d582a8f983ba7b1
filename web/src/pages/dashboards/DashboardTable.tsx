import { Link } from "@tanstack/react-router";
import { Globe } from "lucide-react";
import type { DashboardRow } from "../../api/dashboards.ts";
import { countInWords } from "../../core/numbers.ts";
import { dateTime, formatAgo } from "../../core/time.ts";
import { EnvironmentName } from "../../scope/EnvironmentName.tsx";
import { useMemberNames } from "../../scope/useMemberNames.ts";
import { type Column, Table, rowLinkClass } from "../../ui/Table/Table.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./DashboardTable.module.css";
import { PinButton } from "./PinButton.tsx";

/** Dashboards by name; on phones, what else is known of one is below its name. */
export function DashboardTable({ dashboards, timezone }: { dashboards: readonly DashboardRow[]; timezone: string }) {
  const now = useNow();
  const memberNameOf = useMemberNames();
  const renderChanged = ({ updatedAt }: DashboardRow) => (
    <time className={styles.muted} dateTime={updatedAt} title={dateTime(updatedAt, timezone)}>
      {formatAgo(updatedAt, now)}
    </time>
  );
  const columns: Column<DashboardRow>[] = [
    {
      key: "pin",
      label: "Pinned",
      hideLabel: true,
      width: 46,
      render: ({ id, name }) => <PinButton dashboardId={id} name={name} />,
    },
    {
      key: "name",
      label: "Name",
      render: (row) => (
        <>
          <Link to="/d/$id" params={{ id: row.id }} className={rowLinkClass}>
            {row.name}
          </Link>
          {row.description ? <p className={styles.description}>{row.description}</p> : null}
          <p className={styles.below}>
            <EnvironmentName name={row.environment} />
            <span>{countInWords(row.widgetCount, "widget")}</span>
            {row.isPublic ? <SharedCell isPublic /> : null}
            {renderChanged(row)}
          </p>
        </>
      ),
    },
    {
      key: "environment",
      label: "Environment",
      width: 152,
      hideBelow: 600,
      render: ({ environment }) => <EnvironmentName name={environment} />,
    },
    { key: "widgets", label: "Widgets", align: "end", width: 90, hideBelow: 600, render: ({ widgetCount }) => widgetCount },
    { key: "shared", label: "Shared", width: 136, hideBelow: 600, render: ({ isPublic }) => <SharedCell isPublic={isPublic} /> },
    { key: "creator", label: "Created by", width: 160, hideBelow: 900, render: ({ createdBy }) => <span className={styles.muted}>{memberNameOf(createdBy)}</span> },
    { key: "changed", label: "Changed", align: "end", width: 112, hideBelow: 600, render: renderChanged },
  ];
  return <Table label="Dashboards" columns={columns} rows={dashboards} rowKey={({ id }) => id} />;
}

function SharedCell({ isPublic }: { isPublic: boolean }) {
  if (!isPublic) return <span className={styles.muted}>members only</span>;
  return (
    <span className={styles.shared}>
      <Globe size={14} aria-hidden="true" />
      published
    </span>
  );
}
