import type { ReactNode } from "react";
import { type RankRow, RankBars } from "../charts/RankBars.tsx";
import { formatExact } from "../core/numbers.ts";
import { Card } from "../ui/Card/Card.tsx";
import { Skeleton } from "../ui/Skeleton/Skeleton.tsx";

export interface RankCardProps {
  title: string;
  note?: ReactNode;
  /** The busiest first; undefined while they load. */
  rows: readonly { label: string; count: number }[] | undefined;
  /** What the shares are of. */
  total: number;
  /** Why there are no rows. */
  emptyText: string;
}

/** A few busiest things, with their counts and shares. */
export function RankCard({ title, note, rows, total, emptyText }: RankCardProps) {
  const ranks = rows?.map(({ label, count }): RankRow => ({ label, value: count, text: formatExact(count), share: total > 0 ? count / total : null }));
  return (
    <Card title={title} note={note}>
      {ranks === undefined ? <Skeleton height={166} /> : ranks.length === 0 ? <p>{emptyText}</p> : <RankBars title={title} rows={ranks} />}
    </Card>
  );
}
