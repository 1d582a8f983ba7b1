import { Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, Suspense, useCallback, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { Kbd } from "../ui/Badge/Kbd.tsx";
import { Dialog } from "../ui/Dialog/Dialog.tsx";
import { lazily } from "../ui/lazily.ts";
import { LineField } from "./ask/LineField.tsx";
import { type Line, NO_OFFER, entriesOf } from "./ask/line.ts";
import { type Command, matchingCommands, useCommands, wordsOf } from "./commands.ts";
import { useLookups } from "./lookups.ts";
import styles from "./Palette.module.css";

/** How many entries the list shows at most: typing one more letter is faster than scrolling. */
const MAX_ENTRIES = 40;
/** In px: wide enough for a chart. */
const PALETTE_WIDTH = 680;
/** Reads what is typed as a question: it comes with the first letter. */
const LineAnswer = lazily(() => import("./ask/LineAnswer.tsx"), "LineAnswer");

export interface PaletteProps {
  /** What was typed before it came. */
  typedAhead: RefObject<string>;
  onClose: () => void;
}

/** One field that finds whatever has a name, does what has no button near, and answers a question that is typed in it. */
export function Palette({ typedAhead, onClose }: PaletteProps) {
  const [line, setLine] = useState<Line>(() => ({ text: typedAhead.current, cursor: typedAhead.current.length }));
  const [offer, setOffer] = useState(NO_OFFER);
  const [selectedIndex, setSelectedIndex] = useState(0);
  const listId = useId();
  const commands = useCommands();
  const { text } = line;
  const lookups = useLookups(useDeferredValue(text));
  const entries = useMemo(() => entriesOf(matchingCommands(commands, text), lookups, offer, text).slice(0, MAX_ENTRIES), [commands, lookups, offer, text]);
  const activeIndex = Math.min(selectedIndex, entries.length - 1);
  const changeLine = useCallback((nextLine: Line) => {
    setLine(nextLine);
    setSelectedIndex(0);
  }, []);
  const runCommand = (command: Command | undefined) => {
    if (!command) return;
    if (command.staysOpen) setSelectedIndex(0);
    else onClose();
    command.run();
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return; // the key is for the input method
    const indexByKey: Record<string, number> = { ArrowDown: activeIndex + 1, ArrowUp: activeIndex - 1 };
    const nextIndex = indexByKey[event.key];
    if (event.key === "Enter") runCommand(entries[activeIndex]);
    else if (event.key === "Tab" && !event.shiftKey && offer.completions[0]) runCommand(offer.completions[0]);
    else if (nextIndex !== undefined && entries.length > 0) setSelectedIndex((nextIndex + entries.length) % entries.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" onClose={onClose} width={PALETTE_WIDTH} hideTitle>
      <div className={styles.field}>
        <Search size={16} aria-hidden="true" />
        <LineField
          line={line}
          marks={offer.marks}
          aria-label="Search pages, dashboards, events, segments, actors, groups and bots, or ask a question"
          aria-controls={listId}
          aria-activedescendant={entries[activeIndex] ? `${listId}-${activeIndex}` : undefined}
          placeholder="Search, run a command or ask a question"
          onLine={changeLine}
          onKeyDown={handleKey}
        />
        <span aria-hidden="true">
          <Kbd>Esc</Kbd>
        </span>
      </div>
      <Suspense>{text.trim() === "" ? null : <LineAnswer line={line} onLine={changeLine} onOffer={setOffer} />}</Suspense>
      <Entries id={listId} entries={entries} query={text} activeIndex={activeIndex} onRun={runCommand} />
      {entries.length === 0 && !offer.isQuestion ? <p className={styles.nothing}>No results for “{text}”.</p> : null}
      <p className={styles.keys} aria-hidden="true">
        <Kbd>↑</Kbd> <Kbd>↓</Kbd> move <Kbd>↵</Kbd> open
        {offer.completions.length > 0 ? (
          <>
            {" "}
            <Kbd>⇥</Kbd> complete
          </>
        ) : null}
      </p>
    </Dialog>
  );
}

interface EntriesProps {
  id: string;
  entries: Command[];
  query: string;
  activeIndex: number;
  onRun: (command: Command) => void;
}

function Entries({ id, entries, query, activeIndex, onRun }: EntriesProps) {
  const listRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    listRef.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [activeIndex]);
  return (
    <div id={id} ref={listRef} role="listbox" aria-label="Results" className={styles.list}>
      {entries.map((command, index) => {
        const { icon: Icon } = command;
        const isFirstOfGroup = entries[index - 1]?.group !== command.group;
        return (
          <div key={command.id} role="presentation">
            {isFirstOfGroup ? (
              <div role="presentation" className={styles.group}>
                {command.group}
              </div>
            ) : null}
            {/* The combobox has the focus and its keys; an option is only clicked. */}
            {/* eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === activeIndex}
              className={styles.entry}
              onClick={() => onRun(command)}
            >
              <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
              <span className={styles.label}>
                {command.staysOpen ? command.label : <Marked text={command.label} query={query} />}
              </span>
              {command.detail ? <span className={styles.detail}>{command.detail}</span> : null}
              <span className={styles.end} aria-hidden="true">
                {index === activeIndex ? <Kbd>↵</Kbd> : command.keys ? <Kbd>{command.keys}</Kbd> : null}
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
