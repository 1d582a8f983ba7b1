import { X } from "lucide-react";
import type { Comparison } from "../../api/botShapes.ts";
import { seriesColor } from "../../charts/colors.ts";
import { BotPicture } from "../../ui/Badge/BotPicture.tsx";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import styles from "./BotChip.module.css";

export interface BotChipProps {
  id: string;
  /** Its place among the series of the chart, which rules its color. */
  seriesIndex: number;
  profile: Comparison | undefined;
  onRemove: () => void;
}

/** A bot of a comparison, with the color of its line. */
export function BotChip({ id, seriesIndex, profile, onRemove }: BotChipProps) {
  const name = profile?.name ?? id;
  return (
    <span className={styles.chip}>
      <BotPicture id={id} address={profile?.avatar} size={24} />
      <span className={styles.name}>{name}</span>
      <i className={styles.color} style={{ background: seriesColor(seriesIndex) }} />
      <IconButton label={`Remove ${name}`} icon={X} small onClick={onRemove} />
    </span>
  );
}
