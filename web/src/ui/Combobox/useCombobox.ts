import { type ChangeEvent, type ComponentProps, type KeyboardEvent, useId, useState } from "react";
import { announce } from "../announce.ts";
import { anchorOf } from "../Popover/useSurface.ts";
import { type ComboOption, SHOWN_AT_MOST, countInWords, matches } from "./matches.ts";

interface ComboGiven {
  value: string;
  onChange: (value: string) => void;
  options: readonly ComboOption[];
  allowOwn: boolean;
}

export interface Combo {
  open: boolean;
  setOpen: (open: boolean) => void;
  shown: readonly ComboOption[];
  value: string;
  /** The place of the option that Enter takes; -1 for none. */
  active: number;
  setActive: (at: number) => void;
  take: (option: ComboOption) => void;
  /** The name by which the list finds its field on screen. */
  anchor: string;
  listId: string;
  optionId: (at: number) => string;
  input: ComponentProps<"input">;
}

/** The behavior of a combobox: what is typed, which options it leaves, and what the keys do. */
export function useCombobox({ value, onChange, options, allowOwn }: ComboGiven): Combo {
  const listId = useId();
  /** What is being typed; null while nobody types. */
  const [typed, setTyped] = useState<string | null>(null);
  const [wanted, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const shown = matches(options, typed ?? "").slice(0, SHOWN_AT_MOST);
  const open = wanted && shown.length > 0;
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const take = (option: ComboOption) => {
    onChange(option.value);
    setTyped(null);
    close();
  };
  const type = ({ target: { value: text } }: ChangeEvent<HTMLInputElement>) => {
    const found = matches(options, text);
    setTyped(text);
    setOpen(true);
    setActive(allowOwn || found.length === 0 ? -1 : 0);
    if (allowOwn || text === "") onChange(text);
    if (options.length > 0) announce(countInWords(found.length));
  };
  const leave = () => {
    setTyped(null);
    close();
  };
  const move = (step: number) => {
    if (!open) {
      setOpen(true);
      setActive(Math.max(0, shown.findIndex((option) => option.value === value)));
    } else setActive((active + step + shown.length) % shown.length);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const chosen = open ? shown[active] : undefined;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter" && chosen) take(chosen);
    else if (event.key === "Escape" && open) close();
    else return;
    event.preventDefault();
  };
  const optionId = (at: number) => `${listId}-${at}`;
  return {
    open,
    setOpen: (next) => (next ? setOpen(true) : close()),
    shown,
    value,
    active,
    setActive,
    take,
    anchor: anchorOf(listId),
    listId,
    optionId,
    input: {
      type: "text",
      role: "combobox",
      autoComplete: "off",
      spellCheck: false,
      "aria-autocomplete": "list",
      "aria-expanded": open,
      "aria-controls": open ? listId : undefined,
      "aria-activedescendant": open && active >= 0 ? optionId(active) : undefined,
      value: typed ?? options.find((option) => option.value === value)?.label ?? value,
      onChange: type,
      onKeyDown: press,
      onClick: () => setOpen(true),
      onBlur: leave,
    },
  };
}
