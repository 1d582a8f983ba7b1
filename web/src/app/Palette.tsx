import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import { actorsQuery } from "../api/actors.ts";
import { botSearchQuery } from "../api/bots.ts";
import { actorPlace } from "../scope/places.ts";
import { useScope } from "../scope/useScope.ts";
import { Kbd } from "../ui/Badge/Kbd.tsx";
import { Dialog } from "../ui/Dialog/Dialog.tsx";
import { type Command, actorCommand, botCommand, matching, useCommands } from "./commands.ts";
import styles from "./Palette.module.css";

/** How many entries the list shows at most: typing one more letter is faster than scrolling. */
const SHOWN = 40;
/** From how many letters on actors and bots are looked up. */
const ENOUGH = 2;
const MOST_ACTORS = 5;
const MOST_BOTS = 5;

/** One field that finds pages, dashboards, events, actors and bots, and does what has no button near. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const commands = useCommands();
  const looked = useDeferredValue(typed);
  const actors = useActorCommands(looked);
  const bots = useBotCommands(looked);
  const found = useMemo(() => [...matching(commands, typed), ...actors, ...bots].slice(0, SHOWN), [commands, typed, actors, bots]);
  const active = Math.min(chosen, found.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: found.length - 1 };
    const next = steps[event.key];
    if (event.key === "Enter") run(found[active]);
    else if (next !== undefined && found.length > 0) setChosen((next + found.length) % found.length);
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
          aria-label="Search pages, dashboards, events, actors and bots"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={found[active] ? `${list}-${active}` : undefined}
          placeholder="Search pages, dashboards, events, actors, bots"
          // eslint-disable-next-line jsx-a11y/no-autofocus -- opening the palette is asking to type
          autoFocus
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKey}
        />
      </div>
      <Entries id={list} found={found} active={active} onRun={run} />
      {found.length === 0 ? <p className={styles.nothing}>Nothing is called “{typed}”.</p> : null}
    </Dialog>
  );
}

interface EntriesProps {
  id: string;
  found: Command[];
  active: number;
  onRun: (command: Command) => void;
}

function Entries({ id, found, active, onRun }: EntriesProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div id={id} ref={list} role="listbox" aria-label="Results" className={styles.list}>
      {found.map((command, index) => {
        const { icon: Icon } = command;
        const first = found[index - 1]?.group !== command.group;
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
              <span className={styles.label}>{command.label}</span>
              {command.keys ? <Kbd>{command.keys}</Kbd> : null}
            </div>
          </div>
        );
      })}
    </div>
  );
}

function useActorCommands(typed: string): Command[] {
  const navigate = useNavigate();
  const { environment } = useScope();
  const enabled = typed.trim().length >= ENOUGH;
  const { data } = useInfiniteQuery({ ...actorsQuery(environment, { timeRange: "90d" }, typed.trim()), enabled });
  return useMemo(() => {
    const actors = enabled ? (data?.pages[0]?.actors ?? []) : [];
    return actors.slice(0, MOST_ACTORS).map(({ actorKey, label }) => {
      const open = () => void navigate({ to: "/actors/$actorKey", ...actorPlace(actorKey) });
      return actorCommand(actorKey, label, open);
    });
  }, [enabled, data, navigate]);
}

function useBotCommands(typed: string): Command[] {
  const navigate = useNavigate();
  const enabled = typed.trim().length >= ENOUGH;
  const { data } = useQuery({ ...botSearchQuery(typed.trim()), enabled });
  return useMemo(() => {
    const bots = enabled ? (data?.bots ?? []) : [];
    return bots.slice(0, MOST_BOTS).map(({ id, name }) => {
      return botCommand(id, name, () => void navigate({ to: "/bots/$botId", params: { botId: id } }));
    });
  }, [enabled, data, navigate]);
}
