import { paletteKeys } from "../core/keys.ts";
import { Kbd } from "../ui/Badge/Kbd.tsx";
import type { Shortcut } from "./ShortcutContext.ts";
import styles from "./ShortcutList.module.css";

/** Every shortcut with what it does. */
export function ShortcutList({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  return (
    <dl>
      {[{ keys: [paletteKeys()], words: "Search and commands" }, ...shortcuts].map(({ keys, words }) => (
        <div key={words} className={styles.row}>
          <dt>
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}
