import { type ChangeEvent, type ComponentProps, type FocusEvent, type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { announce } from "../announce.ts";
import { anchorOf } from "../Popover/useSurface.ts";
import { type ComboOption, SHOWN_AT_MOST, matchCountInWords, matchingOptions } from "./matches.ts";
import { type Doubt, type Judge, afterPress, initialActiveIndex, meaningOf, nextActiveIndex, unlistedJudge } from "./typedText.ts";

export interface ComboGiven {
  value: string;
  onChange: (value: string) => void;
  options: readonly ComboOption[];
  /** Of a text that is written in parts: the options for what is typed, in place of those that hold it. */
  optionsFor?: ((text: string) => readonly ComboOption[]) | undefined;
  /** The field begins with this text, as if it had just been typed. */
  initialText?: string | undefined;
  /** What counts beside the options: "any" text, with every key, or what a judge takes once it is whole. By default nothing. */
  textJudge?: "any" | Judge | undefined;
  /** Called with what is typed, and with null when nobody types any more. */
  onType?: ((text: string | null) => void) | undefined;
  /** Called when a text is taken or withdrawn, for a field that is there only meanwhile. */
  onSettle?: (() => void) | undefined;
}

export interface Combo {
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  visibleOptions: readonly ComboOption[];
  value: string;
  /** The value in the words of its option. */
  shownValue: string;
  /** The place of the option that Enter and Tab take; -1 for none. */
  activeIndex: number;
  setActiveIndex: (index: number) => void;
  choose: (option: ComboOption) => void;
  /** What is to be said of a text that no option has; null for nothing. */
  doubt: Doubt | null;
  /** Take the text in doubt, or leave the value as it is. */
  settleDoubt: (isTaken: boolean) => void;
  /** The name by which the list finds its field on screen. */
  anchorName: string;
  listId: string;
  optionId: (index: number) => string;
  inputProps: ComponentProps<"input"> & { ref: RefObject<HTMLInputElement | null> };
}

const FIELD = { type: "text", role: "combobox", autoComplete: "off", spellCheck: false, "aria-autocomplete": "list" } as const;

type SelectionProps = Pick<ComponentProps<"input">, "onFocus" | "onMouseUp" | "onClick">;

/** Select the text on arrival, and at a click that opens the list: the browser would place the caret when the button is up. */
const selectionProps = (isResting: boolean, openList: () => unknown): SelectionProps => ({
  onFocus: ({ currentTarget }) => currentTarget.select(),
  onMouseUp: (event) => {
    if (isResting) event.preventDefault();
  },
  onClick: ({ currentTarget }) => {
    if (isResting) currentTarget.select();
    openList();
  },
});

/** The behavior of a combobox: what is typed, which options it leaves, what the keys do, and what a new text comes to. */
export function useCombobox({ value, onChange, options, optionsFor, initialText, textJudge = unlistedJudge, onType, onSettle }: ComboGiven): Combo {
  const listId = useId();
  const fieldRef = useRef<HTMLInputElement>(null);
  /** What is being typed; null while nobody types. */
  const [draft, setDraft] = useState<string | null>(initialText ?? null);
  const [doubt, setDoubt] = useState<Doubt | null>(null);
  const [isOpenWanted, setOpenWanted] = useState(initialText !== undefined);
  /** Where the arrows went; null while they were not used. */
  const [walkIndex, setWalkIndex] = useState<number | null>(null);
  const optionsOf = (text: string) => optionsFor?.(text) ?? matchingOptions(options, text);
  const visibleOptions = optionsOf(draft ?? "").slice(0, SHOWN_AT_MOST);
  const isOpen = isOpenWanted && doubt === null && visibleOptions.length > 0;
  const activeIndex = walkIndex ?? initialActiveIndex(draft, textJudge, visibleOptions.length);
  const shownValue = options.find((option) => option.value === value)?.label ?? value;
  const setTyped = (text: string | null) => {
    setDraft(text);
    onType?.(text);
  };
  const close = () => {
    setOpenWanted(false);
    setWalkIndex(null);
  };
  const changeValue = (nextValue: string) => {
    if (nextValue !== value) onChange(nextValue);
    setTyped(null);
    setDoubt(null);
    close();
    onSettle?.();
  };
  const raiseDoubt = (newDoubt: Doubt) => {
    setDoubt(newDoubt);
    close();
    announce(newDoubt.sentence);
  };
  const settleDoubt = (isTaken: boolean) => {
    fieldRef.current?.focus();
    changeValue(isTaken && doubt?.isQuestion ? doubt.text : value);
  };
  const type = (text: string) => {
    setTyped(text);
    setDoubt(null);
    setOpenWanted(true);
    setWalkIndex(null);
    if (options.length > 0 || optionsFor) announce(matchCountInWords(optionsOf(text).length));
  };
  const handleType = ({ target: { value: text } }: ChangeEvent<HTMLInputElement>) => {
    type(text);
    if (textJudge === "any") onChange(text);
  };
  const choose = ({ value: text, isBeginning = false }: ComboOption) => (isBeginning ? type(text) : changeValue(text));
  const onBlur = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
    const isInWindow = document.activeElement !== currentTarget; // otherwise, only the window has lost the focus
    const meaning = isInWindow && draft !== null ? meaningOf(draft, options, textJudge) : null;
    if (meaning === null) close();
    else if ("doubt" in meaning) {
      setTyped(null);
      close();
      if (doubt === null) afterPress(() => raiseDoubt(meaning.doubt));
    } else changeValue(meaning.value);
  };
  /** Take what is typed, or say what is to be said of it. Return whether the key has done all that it can. */
  const finishTyping = (key: string): boolean => {
    if (draft === null) return false;
    const meaning = meaningOf(draft, options, textJudge);
    if (!("doubt" in meaning)) changeValue(meaning.value);
    else if (doubt === null) raiseDoubt(meaning.doubt);
    else if (key === "Enter" && doubt.isQuestion) changeValue(doubt.text);
    else return key === "Enter";
    // What has the focus after a field that is there only meanwhile must not get the key, too.
    return "doubt" in meaning || (key === "Enter" && onSettle !== undefined);
  };
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const activeOption = isOpen ? visibleOptions[activeIndex] : undefined;
    const { key } = event;
    if (event.nativeEvent.isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (isOpen) setWalkIndex(nextActiveIndex(activeIndex, key === "ArrowDown" ? 1 : -1, visibleOptions.length));
      else {
        setDoubt(null);
        setOpenWanted(true);
        setWalkIndex(Math.max(0, visibleOptions.findIndex((option) => option.value === value)));
      }
    } else if (activeOption && (key === "Enter" || key === "Tab")) {
      choose(activeOption);
      if (key === "Tab" && !activeOption.isBeginning) return;
    } else if (key === "Escape" && (isOpen || doubt || onSettle)) {
      if (isOpen) close();
      else settleDoubt(false);
    } else if (!(key === "Enter" || key === "Tab") || !finishTyping(key)) return;
    event.preventDefault();
  };
  // Whoever goes on typing after a choice begins anew, as on arrival.
  useLayoutEffect(() => {
    if (draft === null && document.activeElement === fieldRef.current) fieldRef.current?.select();
  }, [draft, value]);
  const isResting = draft === null && !isOpenWanted;
  return {
    isOpen,
    setOpen: (mayOpen) => (mayOpen ? setOpenWanted(true) : close()),
    visibleOptions,
    value,
    shownValue,
    activeIndex,
    setActiveIndex: setWalkIndex,
    choose,
    doubt,
    settleDoubt,
    anchorName: anchorOf(listId),
    listId,
    optionId: (index) => `${listId}-${index}`,
    inputProps: {
      ref: fieldRef,
      ...FIELD,
      "aria-expanded": isOpen,
      "aria-controls": isOpen ? listId : undefined,
      "aria-activedescendant": isOpen && activeIndex >= 0 ? `${listId}-${activeIndex}` : undefined,
      value: draft ?? shownValue,
      onChange: handleType,
      onKeyDown: handleKey,
      ...selectionProps(isResting, () => doubt === null && setOpenWanted(true)),
      onBlur,
    },
  };
}
