import { useQuery } from "@tanstack/react-query";
import { profilesQuery } from "../../api/bots.ts";
import { METRICS, type Metric, metricInWords } from "../../core/bots.ts";
import { NOT_REPORTED, formatExact } from "../../core/numbers.ts";
import { CountBar } from "../../ui/CountBar/CountBar.tsx";
import { CheckField } from "../../ui/Field/CheckField.tsx";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import { BotName } from "./BotName.tsx";
import type { RankRow } from "./ranking.ts";
import { RankChange } from "./RankChange.tsx";
import styles from "./RankingTable.module.css";
import { briefId } from "./words.ts";

export interface RankingTableProps {
  rows: readonly RankRow[];
  metric: Metric;
  isLeastFirst: boolean;
  onSort: (metric: Metric) => void;
  /** The ids of the bots in the tray. */
  trayIds: readonly string[];
  onPick: (id: string) => void;
}

/** Bots by one of their counters, with bars on a common base. Each head of a counter sorts by it. */
export function RankingTable({ rows, metric, isLeastFirst, onSort, trayIds, onPick }: RankingTableProps) {
  const { data: profileById } = useQuery(profilesQuery(rows.map(({ id }) => id)));
  const maxValue = Math.max(1, ...rows.map(({ values }) => values[metric] ?? 0));
  const columns: Column<RankRow>[] = [
    { key: "rank", label: "Rank", width: "7%", render: (row) => <RankCell row={row} /> },
    {
      key: "bot",
      label: "Bot",
      render: ({ id, name }) => {
        const profile = profileById?.get(id);
        const tags = profile?.tags ?? [];
        const noteText = tags.length > 0 ? tags.join(", ") : profileById && briefId(id);
        return <BotName id={id} name={name} pictureAddress={profile?.avatar} noteText={noteText} />;
      },
    },
    ...METRICS.flatMap((counter) => (counter === metric ? [counterColumn(counter, metric), barColumn(counter, maxValue)] : [counterColumn(counter, metric)])),
    {
      key: "pick",
      label: "Compare",
      hideLabel: true,
      align: "end",
      width: "1%",
      render: ({ id, name }) => (
        <span className={styles.pick}>
          <CheckField label={<Hidden>Compare {name}</Hidden>} checked={trayIds.includes(id)} onChange={() => onPick(id)} />
        </span>
      ),
    },
  ];
  const sortOrder = { key: metric, dir: isLeastFirst ? ("asc" as const) : ("desc" as const) };
  return (
    <div className={styles.ranking}>
      <Table label="Rankings" columns={columns} rows={rows} rowKey={({ id }) => id} sort={sortOrder} onSort={(key) => onSort(key as Metric)} />
    </div>
  );
}

function counterColumn(counter: Metric, metric: Metric): Column<RankRow> {
  const isChosen = counter === metric;
  return {
    key: counter,
    label: metricInWords(counter),
    align: "end",
    width: "9%",
    sortable: true,
    ...(isChosen ? {} : { hideBelow: 600 as const }),
    render: ({ values }) => <CounterCell value={values[counter]} isChosen={isChosen} />,
  };
}

function CounterCell({ value, isChosen }: { value: number | null; isChosen: boolean }) {
  if (value === null) return <span title={NOT_REPORTED}>{formatExact(null)}<Hidden> {NOT_REPORTED}</Hidden></span>;
  return <span className={styles.number} data-chosen={isChosen || undefined}>{formatExact(value)}</span>;
}

function barColumn(counter: Metric, maxValue: number): Column<RankRow> {
  return {
    key: "bar",
    label: "Compared with the highest on this page",
    hideLabel: true,
    width: "22%",
    hideBelow: 900,
    render: ({ values }) => (values[counter] === null ? null : <CountBar share={values[counter] / maxValue} />),
  };
}

function RankCell({ row: { rank, change } }: { row: RankRow }) {
  return (
    <span className={styles.rank}>
      <b>{formatExact(rank)}</b>
      <RankChange change={change} />
    </span>
  );
}
