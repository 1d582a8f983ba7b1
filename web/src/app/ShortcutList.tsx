import { paletteKeys } from "../core/keys.ts";
import { ROLLING } from "../core/timeRanges.ts";
import { Kbd } from "../ui/Badge/Kbd.tsx";
import styles from "./ShortcutList.module.css";
import { PAGES } from "./destinations.ts";

const SHORTCUTS: { keys: string[]; words: string }[] = [
  { keys: [paletteKeys()], words: "Search and commands" },
  { keys: ["?"], words: "Show the shortcuts" },
  ...PAGES.map(({ key, label }) => ({ keys: ["g", key], words: `Go to ${label === "API keys" ? label : label.toLowerCase()}` })),
  ...ROLLING.map((name, index) => ({ keys: [String(index + 1)], words: `Show ${name}` })),
  { keys: ["/"], words: "Search this page" },
  { keys: ["f"], words: "Add a filter" },
  { keys: ["e"], words: "Arrange the dashboard" },
  { keys: ["v"], words: "Choose the environment" },
  { keys: ["r"], words: "Ask everything again" },
  { keys: ["n"], words: "Create what this page lists" },
  { keys: ["Esc"], words: "Close, then clear the filters" },
  { keys: ["Tab"], words: "From the chosen event of a list to all of it; with Shift, back" },
  { keys: ["←", "→"], words: "Walk along a chart; with Shift, ten points at once" },
  { keys: ["t"], words: "Show the card as a table, and back" },
  { keys: ["."], words: "Open the menu of the card" },
  { keys: ["a"], words: "Annotate the point of a chart" },
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
