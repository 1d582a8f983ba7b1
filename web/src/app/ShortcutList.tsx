import { paletteKeys } from "../core/keys.ts";
import { ROLLING } from "../core/timeRanges.ts";
import { Kbd } from "../ui/Badge/Kbd.tsx";
import styles from "./ShortcutList.module.css";
import { PAGES } from "./destinations.ts";

const SHORTCUTS: { keys: string[]; words: string }[] = [
  { keys: [paletteKeys()], words: "Search, commands and questions" },
  { keys: ["?"], words: "Show shortcuts" },
  ...PAGES.map(({ key, label }) => ({ keys: ["g", key], words: `Go to ${label === "API keys" ? label : label.toLowerCase()}` })),
  ...ROLLING.map((name, index) => ({ keys: [String(index + 1)], words: `Show ${name}` })),
  { keys: ["/"], words: "Search this page" },
  { keys: ["f"], words: "Add a filter" },
  { keys: ["e"], words: "Arrange dashboard" },
  { keys: ["v"], words: "Choose environment" },
  { keys: ["r"], words: "Refresh" },
  { keys: ["n"], words: "Create a new item" },
  { keys: ["Ctrl S"], words: "Save a widget or an alert" },
  { keys: ["Esc"], words: "Close, then clear filters" },
  { keys: ["Tab"], words: "Go from a selected event to its details; Shift goes back" },
  { keys: ["←", "→"], words: "Move along a chart; Page Up and Page Down move ten points" },
  { keys: ["Shift", "→"], words: "Select time on a chart; Enter shows it, Esc goes back" },
  { keys: ["t"], words: "Show a card as a table or chart" },
  { keys: ["."], words: "Open a card's menu" },
  { keys: ["a"], words: "Annotate a point on a chart" },
  { keys: ["m"], words: "Move a widget while arranging" },
  { keys: ["+", "-"], words: "Widen or narrow a widget while arranging" },
];

/** Every shortcut with what it does. */
export function ShortcutList() {
  return (
    <dl>
      {SHORTCUTS.map(({ keys, words }) => (
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
