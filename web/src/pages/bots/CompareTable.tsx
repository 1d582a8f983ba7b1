import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Comparison } from "../../api/botShapes.ts";
import { historiesQuery } from "../../api/bots.ts";
import { assignColors } from "../../charts/valueColors.ts";
import { BotPicture } from "../../ui/Badge/BotPicture.tsx";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import styles from "./CompareTable.module.css";
import { type ComparedLine, bestIndexesOf, comparedLines } from "./comparison.ts";
import { growthPerDay } from "./historyLines.ts";

/** Bots side by side; the best of each line is bold and has a dot. */
export function CompareTable({ bots }: { bots: readonly Comparison[] }) {
  const { data: voteHistories } = useQuery(historiesQuery(bots.map(({ id }) => id), "total_votes", "30d"));
  const votesPerDayById = new Map(bots.map(({ id }) => [id, growthPerDay(voteHistories, id)]));
  const colors = assignColors(bots.map(({ id }) => id));
  const columns: Column<ComparedLine>[] = [
    { key: "label", label: "Measure", hideLabel: true, width: "30%", render: ({ label }) => <span className={styles.label}>{label}</span> },
    ...bots.map(({ id, name, avatar }, index): Column<ComparedLine> => ({
      key: id,
      label: name,
      align: "end",
      head: (
        <Link to="/bots/$botId" params={{ botId: id }} className={styles.bot} title={name}>
          <BotPicture id={id} address={avatar} size={20} tint={colors.get(id)} />
          <span className={styles.name}>{name}</span>
        </Link>
      ),
      render: (line) => <ComparedValue line={line} botIndex={index} />,
    })),
  ];
  return <Table label="Comparison" columns={columns} rows={comparedLines(bots, votesPerDayById)} rowKey={({ label }) => label} />;
}

function ComparedValue({ line, botIndex }: { line: ComparedLine; botIndex: number }) {
  const isBest = bestIndexesOf(line).has(botIndex);
  return (
    <span className={styles.value} data-best={isBest || undefined}>
      {line.texts[botIndex]}
      {isBest ? <Hidden> best</Hidden> : null}
    </span>
  );
}
