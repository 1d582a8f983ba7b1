import { Plus } from "lucide-react";
import { Popover } from "../../ui/Popover/Popover.tsx";
import { BotPicker } from "../../widgets/BotPicker.tsx";
import styles from "./AddBot.module.css";

/** A place for one more bot: it asks which. */
export function AddBot({ onAdd }: { onAdd: (id: string) => void }) {
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
