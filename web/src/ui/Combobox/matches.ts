import type { ReactNode } from "react";

export interface ComboOption {
  value: string;
  /** What is shown in place of the value. */
  label?: string;
  /** A muted word at the right: a type, a count. */
  detail?: string;
  /** A small picture before the detail. */
  picture?: ReactNode;
  /** Only the beginning of a text: whoever chooses it goes on typing. */
  isBeginning?: boolean;
}

/** More than this nobody reads; typing narrows them down. */
export const SHOWN_AT_MOST = 100;

/** Return the options that hold a text: those that are it, then those that begin with it. An empty text finds all. */
export function matchingOptions(options: readonly ComboOption[], text: string): ComboOption[] {
  const query = normalize(text);
  const rankings = options.map((option) => ({ option, rank: rankOf(option, query) }));
  const ranks = query === "" ? [Rank.begins] : [Rank.same, Rank.begins, Rank.holds];
  return ranks.flatMap((rank) => rankings.filter((entry) => entry.rank === rank).map(({ option }) => option));
}

/** Return the option that a text names: by its value to the letter, or by a label that no other has. */
export function findNamedOption(options: readonly ComboOption[], text: string): ComboOption | undefined {
  const sameLabel = options.filter(({ label }) => label !== undefined && normalize(label) === normalize(text));
  return options.find(({ value }) => value === text.trim()) ?? (sameLabel.length === 1 ? sameLabel[0] : undefined);
}

/** Say how many options there are. */
export function matchCountInWords(count: number): string {
  if (count === 0) return "No matches";
  return count === 1 ? "1 match" : `${count.toLocaleString("en")} matches`;
}

const Rank = { same: 0, begins: 1, holds: 2, lacks: 3 } as const;

function rankOf({ value, label }: ComboOption, query: string): number {
  return Math.min(...[label, value].map((words) => rankOfWords(normalize(words ?? ""), query)));
}

function rankOfWords(words: string, query: string): number {
  if (query === "") return Rank.begins;
  if (words === query) return Rank.same;
  if (words.startsWith(query)) return Rank.begins;
  return words.includes(query) ? Rank.holds : Rank.lacks;
}

const normalize = (text: string): string => text.trim().toLocaleLowerCase("en");
