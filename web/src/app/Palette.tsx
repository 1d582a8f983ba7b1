import { Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { Kbd } from "../ui/Badge/Kbd.tsx";
import { Dialog } from "../ui/Dialog/Dialog.tsx";
import { type Command, matchingCommands, useCommands, wordsOf } from "./commands.ts";
import { useLookups } from "./lookups.ts";
import styles from "./Palette.module.css";

/** How many entries the list shows at most: typing one more letter is faster than scrolling. */
const MAX_ENTRIES = 40;

export interface PaletteProps {
  /** What was typed before it came. */
  typedAhead: RefObject<string>;
  onClose: () => void;
}

/** One field that finds pages, dashboards, events, segments, actors, groups and bots, and does what has no button near. */
export function Palette({ typedAhead, onClose }: PaletteProps) {
  const [query, setQuery] = useState(() => typedAhead.current);
  const [selectedIndex, setSelectedIndex] = useState(0);
  const list = useId();
  const commands = useCommands();
  const lookups = useLookups(useDeferredValue(query));
  const entries = useMemo(() => [...matchingCommands(commands, query), ...lookups].slice(0, MAX_ENTRIES), [commands, query, lookups]);
  const active = Math.min(selectedIndex, entries.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: entries.length - 1 };
    const next = steps[event.key];
    if (event.key === "Enter") run(entries[active]);
    else if (next !== undefined && entries.length > 0) setSelectedIndex((next + entries.length) % entries.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" onClose={onClose} width={600} hideTitle>
      <div className={styles.field}>
        <Search size={16} aria-hidden="true" />
        <input
          className={styles.input}
          role="combobox"
          aria-label="Search pages, dashboards, events, segments, actors, groups and bots"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={entries[active] ? `${list}-${active}` : undefined}
          placeholder="Search, or run a command"
          // eslint-disable-next-line jsx-a11y/no-autofocus -- opening the palette is asking to type
          autoFocus
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setSelectedIndex(0);
          }}
          onKeyDown={onKey}
        />
        <span aria-hidden="true">
          <Kbd>Esc</Kbd>
        </span>
      </div>
      <Entries id={list} entries={entries} query={query} active={active} onRun={run} />
      {entries.length === 0 ? <p className={styles.nothing}>Nothing is called “{query}”.</p> : null}
      <p className={styles.keys} aria-hidden="true">
        <Kbd>↑</Kbd> <Kbd>↓</Kbd> move <Kbd>↵</Kbd> open
      </p>
    </Dialog>
  );
}

interface EntriesProps {
  id: string;
  entries: Command[];
  query: string;
  active: number;
  onRun: (command: Command) => void;
}

function Entries({ id, entries, query, active, onRun }: EntriesProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div id={id} ref={list} role="listbox" aria-label="Results" className={styles.list}>
      {entries.map((command, index) => {
        const { icon: Icon } = command;
        const first = entries[index - 1]?.group !== command.group;
        return (
          <div key={command.id} role="presentation">
            {first ? (
              <div role="presentation" className={styles.group}>
                {command.group}
              </div>
            ) : null}
            {/* The combobox has the focus and its keys; an option is only clicked. */}
            {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              className={styles.entry}
              onClick={() => onRun(command)}
            >
              <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
              <span className={styles.label}>
                <Marked text={command.label} query={query} />
              </span>
              {command.detail ? <span className={styles.detail}>{command.detail}</span> : null}
              <span className={styles.end} aria-hidden="true">
                {index === active ? <Kbd>↵</Kbd> : command.keys ? <Kbd>{command.keys}</Kbd> : null}
              </span>
            </div>
          </div>
        );
      })}
    </div>
  );
}

/** A text in which the typed words stand out. */
function Marked({ text, query }: { text: string; query: string }): ReactNode {
  const words = wordsOf(query).map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  if (words.length === 0) return text;
  return text.split(new RegExp(`(${words.join("|")})`, "iu")).map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece));
}
