import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Comparison } from "../../api/botShapes.ts";
import { historiesQuery } from "../../api/bots.ts";
import { BotPicture } from "../../ui/Badge/BotPicture.tsx";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import styles from "./CompareTable.module.css";
import { type Compared, bestOf, comparedLines } from "./comparison.ts";
import { growthPerDay } from "./historyLines.ts";

/** Bots side by side; the best of each line is bold and has a dot. */
export function CompareTable({ bots }: { bots: readonly Comparison[] }) {
  const { data: votes } = useQuery(historiesQuery(bots.map(({ id }) => id), "total_votes", "30d"));
  const daily = new Map(bots.map(({ id }) => [id, growthPerDay(votes, id)]));
  const columns: Column<Compared>[] = [
    { key: "label", label: "Measure", hideLabel: true, width: "30%", render: ({ label }) => <span className={styles.label}>{label}</span> },
    ...bots.map(({ id, name, avatar }, index): Column<Compared> => ({
      key: id,
      label: name,
      align: "end",
      head: (
        <Link to="/bots/$botId" params={{ botId: id }} className={styles.bot} title={name}>
          <BotPicture id={id} address={avatar} size={20} />
          <span className={styles.name}>{name}</span>
        </Link>
      ),
      render: (line) => <Value line={line} at={index} />,
    })),
  ];
  return <Table label="Comparison" columns={columns} rows={comparedLines(bots, daily)} rowKey={({ label }) => label} />;
}

function Value({ line, at }: { line: Compared; at: number }) {
  const isBest = bestOf(line).has(at);
  return (
    <span className={styles.value} data-best={isBest || undefined}>
      {line.write(line.values[at] ?? null)}
      {isBest ? <Hidden> best</Hidden> : null}
    </span>
  );
}
