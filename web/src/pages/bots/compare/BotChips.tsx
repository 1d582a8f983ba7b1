import { Plus, X } from "lucide-react";
import type { Comparison } from "../../../api/botShapes.ts";
import { MAX_COMPARED } from "../../../core/bots.ts";
import { BotPicture } from "../../../ui/Badge/BotPicture.tsx";
import { IconButton } from "../../../ui/Button/IconButton.tsx";
import { Popover } from "../../../ui/Popover/Popover.tsx";
import { Skeleton } from "../../../ui/Skeleton/Skeleton.tsx";
import { BotPicker } from "../../../widgets/BotPicker.tsx";
import styles from "./BotChips.module.css";

export interface BotChipsProps {
  botIds: readonly string[];
  /** The colors of their lines, 1 to 8, by id. */
  colors: ReadonlyMap<string, number>;
  profileById: ReadonlyMap<string, Comparison> | undefined;
  /** Their names are on their way; without them, they have their ids. */
  isPending: boolean;
  onChange: (botIds: readonly string[]) => void;
}

/** Of a name that is on its way, in px. */
const NAME_WIDTH = 56;

/** The bots of a comparison, each in the color of its line, and a place for one more. */
export function BotChips({ botIds, colors, profileById, isPending, onChange }: BotChipsProps) {
  return (
    <ul className={styles.chips} aria-label="Bots">
      {botIds.map((id) => {
        const profile = profileById?.get(id);
        const name = profile?.name ?? id;
        return (
          <li key={id} className={styles.chip}>
            <BotPicture id={id} address={profile?.avatar} size={26} lineColor={colors.get(id)} />
            <span className={styles.name}>{isPending && !profile ? <Skeleton height={16} width={NAME_WIDTH} /> : name}</span>
            <IconButton label={`Remove ${name}`} icon={X} small onClick={() => onChange(botIds.filter((botId) => botId !== id))} />
          </li>
        );
      })}
      {botIds.length < MAX_COMPARED ? (
        <li>
          <AddBot onAdd={(id) => !botIds.includes(id) && onChange([...botIds, id])} />
        </li>
      ) : null}
    </ul>
  );
}

/** A place for one more bot: it asks which. */
function AddBot({ onAdd }: { onAdd: (id: string) => void }) {
  return (
    <Popover
      label="Add a bot"
      trigger={
        <button type="button" className={styles.add}>
          <Plus size={16} strokeWidth={1.6} aria-hidden="true" />
          Add a bot
        </button>
      }
    >
      {(close) => (
        <div className={styles.form}>
          <BotPicker
            label="Bot"
            value=""
            onPick={(id) => {
              close();
              onAdd(id);
            }}
          />
        </div>
      )}
    </Popover>
  );
}
