import { type ChangeEvent, type ComponentProps, type FocusEvent, type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { announce } from "../announce.ts";
import { anchorOf } from "../Popover/useSurface.ts";
import { type Judge, refuseUnlisted } from "./judge.ts";
import { type ComboOption, SHOWN_AT_MOST, matchCountInWords, matchingOptions } from "./matches.ts";
import { type Doubt, afterPress, meaningOf, initialActiveIndex, nextActiveIndex } from "./typedText.ts";

export interface ComboGiven {
  value: string;
  onChange: (value: string) => void;
  options: readonly ComboOption[];
  /** What counts beside the options: "any" text, with every key, or what a judge takes once it is whole. By default nothing. */
  own?: "any" | Judge | undefined;
  /** Called with what is typed, and with null when nobody types any more. */
  onType?: ((text: string | null) => void) | undefined;
}

export interface Combo {
  open: boolean;
  setOpen: (open: boolean) => void;
  visibleOptions: readonly ComboOption[];
  value: string;
  /** The value in the words of its option. */
  shownValue: string;
  /** The place of the option that Enter and Tab take; -1 for none. */
  active: number;
  setActive: (at: number) => void;
  take: (option: ComboOption) => void;
  /** What is to be said of a text that no option has; null for nothing. */
  doubt: Doubt | null;
  /** Take the text in doubt, or leave the value as it is. */
  settle: (isTaken: boolean) => void;
  /** The name by which the list finds its field on screen. */
  anchor: string;
  listId: string;
  optionId: (at: number) => string;
  input: ComponentProps<"input"> & { ref: RefObject<HTMLInputElement | null> };
}

const FIELD = { type: "text", role: "combobox", autoComplete: "off", spellCheck: false, "aria-autocomplete": "list" } as const;

/** The behavior of a combobox: what is typed, which options it leaves, what the keys do, and what a new text comes to. */
export function useCombobox({ value, onChange, options, own = refuseUnlisted, onType }: ComboGiven): Combo {
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  /** What is being typed; null while nobody types. */
  const [draft, setDraft] = useState<string | null>(null);
  const [doubt, setDoubt] = useState<Doubt | null>(null);
  const [wantsOpen, setOpen] = useState(false);
  /** Where the arrows went; null while they were not used. */
  const [walkIndex, setWalkIndex] = useState<number | null>(null);
  const visibleOptions = matchingOptions(options, draft ?? "").slice(0, SHOWN_AT_MOST);
  const open = wantsOpen && doubt === null && visibleOptions.length > 0;
  const active = walkIndex ?? initialActiveIndex(draft, own, visibleOptions.length);
  const shownValue = options.find((option) => option.value === value)?.label ?? value;
  const write = (text: string | null) => {
    setDraft(text);
    onType?.(text);
  };
  const close = () => {
    setOpen(false);
    setWalkIndex(null);
  };
  const change = (next: string) => {
    if (next !== value) onChange(next);
    write(null);
    setDoubt(null);
    close();
  };
  const raise = (next: Doubt) => {
    setDoubt(next);
    close();
    announce(next.sentence);
  };
  const settle = (isTaken: boolean) => {
    field.current?.focus();
    change(isTaken && doubt?.isQuestion ? doubt.text : value);
  };
  const type = ({ target: { value: text } }: ChangeEvent<HTMLInputElement>) => {
    write(text);
    setDoubt(null);
    setOpen(true);
    setWalkIndex(null);
    if (own === "any") onChange(text);
    if (options.length > 0) announce(matchCountInWords(matchingOptions(options, text).length));
  };
  const onBlur = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    const isInWindow = document.activeElement !== currentTarget; // otherwise, only the window has lost the focus
    const meaning = isInWindow && draft !== null ? meaningOf(draft, options, own) : null;
    if (meaning === null) close();
    else if ("doubt" in meaning) {
      write(null);
      close();
      if (doubt === null) afterPress(() => raise(meaning.doubt));
    } else change(meaning.value);
  };
  /** Take what is typed, or say what is to be said of it. Return whether the key has done all that it can. */
  const finish = (key: string): boolean => {
    if (draft === null) return false;
    const meaning = meaningOf(draft, options, own);
    if (!("doubt" in meaning)) change(meaning.value);
    else if (doubt === null) raise(meaning.doubt);
    else if (key === "Enter" && doubt.isQuestion) change(doubt.text);
    else return key === "Enter";
    return "doubt" in meaning;
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const activeOption = open ? visibleOptions[active] : undefined;
    const { key } = event;
    if (event.nativeEvent.isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (open) setWalkIndex(nextActiveIndex(active, key === "ArrowDown" ? 1 : -1, visibleOptions.length));
      else {
        setDoubt(null);
        setOpen(true);
        setWalkIndex(Math.max(0, visibleOptions.findIndex((option) => option.value === value)));
      }
    } else if (activeOption && (key === "Enter" || key === "Tab")) {
      change(activeOption.value);
      if (key === "Tab") return;
    } else if (key === "Escape" && (open || doubt)) {
      if (open) close();
      else settle(false);
    } else if (!(key === "Enter" || key === "Tab") || !finish(key)) return;
    event.preventDefault();
  };
  // Whoever goes on typing after a choice begins anew, as on arrival.
  useLayoutEffect(() => {
    if (draft === null && document.activeElement === field.current) field.current?.select();
  }, [draft, value]);
  const isResting = draft === null && !wantsOpen;
  return {
    open,
    setOpen: (next) => (next ? setOpen(true) : close()),
    visibleOptions,
    value,
    shownValue,
    active,
    setActive: setWalkIndex,
    take: ({ value: nextValue }) => change(nextValue),
    doubt,
    settle,
    anchor: anchorOf(listId),
    listId,
    optionId: (at) => `${listId}-${at}`,
    input: {
      ref: field,
      ...FIELD,
      "aria-expanded": open,
      "aria-controls": open ? listId : undefined,
      "aria-activedescendant": open && active >= 0 ? `${listId}-${active}` : undefined,
      value: draft ?? shownValue,
      onChange: type,
      onKeyDown: handleKey,
      onFocus: ({ currentTarget }) => currentTarget.select(),
      // A click that opens the list selects the text; the browser would place the caret when the button is up.
      onMouseUp: (event) => {
        if (isResting) event.preventDefault();
      },
      onClick: ({ currentTarget }) => {
        if (isResting) currentTarget.select();
        if (doubt === null) setOpen(true);
      },
      onBlur,
    },
  };
}
